package io.orestes.caching.ttl;

/**
 * The times to live of one response, in browser caches and in shared caches.
 *
 * @param browserSeconds for caches of one user ({@code max-age}), not negative
 * @param sharedSeconds for caches of many users ({@code s-maxage}), not negative
 */
public record Ttls(int browserSeconds, int sharedSeconds) {

    /** Times to live of a response that no cache may store. */
    public static final Ttls NONE = new Ttls(0, 0);

    public Ttls {
        if (browserSeconds < 0 || sharedSeconds < 0) {
            throw new IllegalArgumentException("Negative: " + browserSeconds + ", " + sharedSeconds);
        }
    }

    /** Returns the times without storing in caches of one user. */
    Ttls sharedOnly() {
        return new Ttls(0, sharedSeconds);
    }

    /** Returns the time in ms after which no cache uses a copy any more. */
    public long longestMillis() {
        return Math.max(browserSeconds, sharedSeconds) * 1000L;
    }
}
