package io.orestes.caching.ttl;

/** A listener to the outcomes of granted times to live. Called by any thread. */
public interface TtlOutcomeListener {

    /** The kind of resource that a time to live was granted to: object or query. */
    enum TtlKind {
        OBJECT,
        QUERY
    }

    /** The listener that ignores all outcomes. */
    TtlOutcomeListener IGNORED = new TtlOutcomeListener() {
        @Override
        public void ended(TtlKind ttlKind, boolean isChanged) {}

        @Override
        public void measured(TtlKind ttlKind, double grantedToLived) {}
    };

    /**
     * Reports the end of a state's time to live.
     *
     * @param isChanged whether a change ended it; otherwise it expired while the state was the
     *     newest
     */
    void ended(TtlKind ttlKind, boolean isChanged);

    /**
     * Reports the end of a state whose last granted time to live is known.
     *
     * @param grantedToLived that time, divided by the further lifetime of the state; 1 is
     *     optimal
     */
    void measured(TtlKind ttlKind, double grantedToLived);
}
