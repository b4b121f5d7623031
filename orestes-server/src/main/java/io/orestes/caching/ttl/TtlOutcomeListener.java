package io.orestes.caching.ttl;

/** A listener to the outcomes of granted times to live. Called by any thread. */
public interface TtlOutcomeListener {

    /** The kind of resource that a time to live was granted to: object or query. */
    enum TtlKind {
        OBJECT,
        QUERY
    }

    /** For those who do not want to know. */
    TtlOutcomeListener IGNORED = new TtlOutcomeListener() {
        @Override
        public void ended(TtlKind ttlKind, boolean isChanged) {}

        @Override
        public void measured(TtlKind ttlKind, double grantedToLived) {}
    };

    /**
     * The time to live of a state ended.
     *
     * @param isChanged whether by a change; else it passed while the state was the newest
     */
    void ended(TtlKind ttlKind, boolean isChanged);

    /**
     * A state ended of which the time to live that it was granted last is known.
     *
     * @param grantedToLived that time, divided by how long the state really lived on; 1 would have
     *     been best
     */
    void measured(TtlKind ttlKind, double grantedToLived);
}
