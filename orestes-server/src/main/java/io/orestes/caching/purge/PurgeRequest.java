package io.orestes.caching.purge;

/**
 * A request to purge one path, or everything that begins with it.
 *
 * @param path a path with its query, as in a request line
 * @param isPrefix whether {@code path} is a prefix
 */
record PurgeRequest(String path, boolean isPrefix) {

    static final PurgeRequest EVERYTHING = new PurgeRequest("/", true);

    PurgeRequest {
        if (!path.startsWith("/") || !path.chars().allMatch(letter -> letter > ' ' && letter < 0x7f)) {
            throw new IllegalArgumentException("Not a valid request target: " + path);
        }
    }
}
