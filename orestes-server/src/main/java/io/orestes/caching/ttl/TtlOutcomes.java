package io.orestes.caching.ttl;

/** Hears how right the times to live were. Called by any thread. */
public interface TtlOutcomes {

    /** What kind of thing a time to live was for. */
    enum Kind {
        OBJECT,
        QUERY
    }

    /** For those who do not want to know. */
    TtlOutcomes IGNORED = new TtlOutcomes() {
        @Override
        public void ended(Kind kind, boolean isChanged) {}

        @Override
        public void measured(Kind kind, double grantedToLived) {}
    };

    /**
     * The time to live of a state ended.
     *
     * @param isChanged whether by a change; else it passed while the state was the newest
     */
    void ended(Kind kind, boolean isChanged);

    /**
     * A state ended of which the time to live that it was granted last is known.
     *
     * @param grantedToLived that time, divided by how long the state really lived on; 1 would have been best
     */
    void measured(Kind kind, double grantedToLived);
}
