package io.orestes.bench.ttl;

import java.util.Arrays;

/** Copies of objects in one browser; objects are numbers, times milliseconds. Not thread-safe. */
final class BrowserCache {

    private final long[] expires;
    private final long[] outdatedFrom;

    BrowserCache(int objects) {
        expires = new long[objects];
        outdatedFrom = new long[objects];
        Arrays.fill(expires, Long.MIN_VALUE);
    }

    boolean isFresh(int object, long now) {
        return expires[object] > now;
    }

    /**
     * Returns the time from which on a state newer than the copy's exists; it may be in the future.
     */
    long outdatedFrom(int object) {
        return outdatedFrom[object];
    }

    void put(int object, long until, long outdated) {
        expires[object] = until;
        outdatedFrom[object] = outdated;
    }
}
