package io.orestes.caching.purge;

/**
 * A request to purge one path, or everything that begins with it.
 *
 * @param path a path with its query, as a request line has it
 * @param isBelow whether everything is meant that begins so
 */
record PurgeRequest(String path, boolean isBelow) {

    static final PurgeRequest EVERYTHING = new PurgeRequest("/", true);

    PurgeRequest {
        if (!path.startsWith("/") || !path.chars().allMatch(letter -> letter > ' ' && letter < 0x7f)) {
            throw new IllegalArgumentException("Not as a request line has it: " + path);
        }
    }
}
