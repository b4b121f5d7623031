package io.orestes.read.watch;

/**
 * The retention of one cached key: its pending requests and the expiry of its last copy.
 *
 * @param showsMembershipOnly true if the response does not change while the result has the same
 *     objects
 * @param pending number of requests that may yet fill a cache
 * @param untilMillis expiry of the last copy, ms since 1970
 */
record KeyRetention(boolean showsMembershipOnly, int pending, long untilMillis) {

    static KeyRetention forRequest(boolean showsMembershipOnly) {
        return new KeyRetention(showsMembershipOnly, 1, 0);
    }

    KeyRetention withPending() {
        return new KeyRetention(showsMembershipOnly, pending + 1, untilMillis);
    }

    KeyRetention withCompleted(long until) {
        return new KeyRetention(showsMembershipOnly, pending - 1, Math.max(untilMillis, until));
    }

    boolean isExpired(long now) {
        return pending == 0 && untilMillis <= now;
    }
}
