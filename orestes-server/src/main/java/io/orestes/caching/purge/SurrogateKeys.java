package io.orestes.caching.purge;

import io.orestes.caching.sketch.BloomHash;

/**
 * The surrogate keys of a response, by which caches purge one response, a class or everything. A
 * response has three keys: that of everything, that of its class, and its own, which is the hash of
 * its canonical path. All spellings of a query have one path and are purged at once. Two responses
 * with one hash are purged together.
 */
public final class SurrogateKeys {

    private SurrogateKeys() {}

    /**
     * Returns the keys of a response as in a header {@code Surrogate-Key}; {@code path} is
     * canonical and has two segments before its last.
     */
    public static String of(String path) {
        return PurgeRequest.EVERYTHING.path() + " " + classOf(path) + " " + own(path);
    }

    /** Returns the key that a purge request addresses. */
    static String of(PurgeRequest purgeRequest) {
        return purgeRequest.isPrefix() ? purgeRequest.path() : own(purgeRequest.path());
    }

    /**
     * Returns the path by which the class is purged: {@code /v1/db/Todo/} for everything below it.
     */
    private static String classOf(String path) {
        int kind = path.indexOf('/', path.indexOf('/', 1) + 1);
        return path.substring(0, path.indexOf('/', kind + 1) + 1);
    }

    private static String own(String path) {
        BloomHash hash = BloomHash.of(path);
        return Long.toHexString(hash.h1() << 32 | hash.h2());
    }
}
