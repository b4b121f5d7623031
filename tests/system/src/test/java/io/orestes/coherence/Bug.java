package io.orestes.coherence;

/**
 * Bugs that the product, a cache or a client could have. They are planted around the product, never
 * in it: in the proxies, in browsers and clients of this package, in the files of a stopped server.
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
    TAG_REPEATED_AFTER_REINSERT,
    PURGES_LATE_AND_NOT_SAID,
    UNPURGED_COPY_TAKEN_FOR_PURGED,
    RESULT_CHANGED_AND_NOT_SAID;

    /** Returns whether the scenario disturbs others, by a restart or by lost purges. */
    boolean needsItsOwnStage() {
        return this == SKETCH_FORGOTTEN_AT_RESTART || this == PURGES_LATE_AND_NOT_SAID;
    }

    /** Returns whether copies have to live as long in browsers as in Varnish. */
    boolean needsEqualLives() {
        return this == AGE_IGNORED_WITH_EQUAL_LIVES;
    }
}
