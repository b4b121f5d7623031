package io.orestes.coherence;

/**
 * Mistakes that the product, a cache or a client could make. They are planted around the product, never in it: in the proxies,
 * in browsers and clients of this package, in the files of a server that is down.
 */
enum Bug {
    NO_SECOND_PURGE,
    PURGE_BEFORE_COMMIT,
    PURGE_LOST_BUT_CONFIRMED,
    PURGE_SKIPPED_ALTHOUGH_READ,
    QUERY_NOT_PURGED,
    ONE_SPELLING_NOT_PURGED,
    AGE_IGNORED,
    AGE_IGNORED_WITH_EQUAL_LIVES,
    SHARED_TTL_NOT_REPORTED,
    SLACK_USED_UP,
    FILTER_SERVED_STALE,
    FILTER_ENTRY_EXPIRES_EARLY,
    FILTER_NOT_LOOKED_AT,
    FILTER_NOT_RELOADED,
    SKETCH_FORGOTTEN_AT_RESTART,
    REVALIDATION_ANSWERED_FROM_CACHE,
    TAG_REPEATED_AFTER_REINSERT;

    /** Where a scene needs time for a restart. */
    boolean needsRestart() {
        return this == SKETCH_FORGOTTEN_AT_RESTART;
    }

    /** Where copies live as long in browsers as in Varnish. */
    boolean needsEqualLives() {
        return this == AGE_IGNORED_WITH_EQUAL_LIVES;
    }
}
