package io.orestes.bench.ttl;

import io.orestes.caching.ttl.TtlConfig;
import io.orestes.caching.ttl.TtlEstimator;
import io.orestes.caching.ttl.TtlOutcomeListener;
import io.orestes.caching.ttl.Ttls;
import java.time.Duration;

/** A policy that chooses how long browsers may cache an object. */
interface TtlPolicy {

    String name();

    /**
     * Returns the milliseconds for the object that operation number {@code operation} of the trace
     * reads.
     */
    long ttl(Trace trace, int operation, String key);

    /** Called when a browser received the time to live of {@link #ttl}. */
    default void granted(String key, long millis) {}

    /** Called when an object was written. */
    default void written(String key) {}

    /** One time to live for everything. */
    record Static(Duration ttl) implements TtlPolicy {

        @Override
        public String name() {
            return "static-" + ttl.toSeconds() + "s";
        }

        @Override
        public long ttl(Trace trace, int operation, String key) {
            return ttl.toMillis();
        }
    }

    /** The product's estimate. */
    record Estimated(TtlEstimator estimator) implements TtlPolicy {

        static Estimated on(SimulatedClock clock) {
            return new Estimated(new TtlEstimator(TtlConfig.DEFAULTS, clock, TtlOutcomeListener.IGNORED));
        }

        @Override
        public String name() {
            return "estimated";
        }

        @Override
        public long ttl(Trace trace, int operation, String key) {
            return estimator.objectTtl(key).browserSeconds() * 1000L;
        }

        @Override
        public void granted(String key, long millis) {
            int seconds = (int) (millis / 1000);
            estimator.recordGrant(key, new Ttls(seconds, seconds));
        }

        @Override
        public void written(String key) {
            estimator.recordWrite(key);
        }
    }

    /** The time until the next write, which is known, up to the product's maximum. */
    record Oracle() implements TtlPolicy {

        @Override
        public String name() {
            return "oracle";
        }

        @Override
        public long ttl(Trace trace, int operation, String key) {
            return Math.min(
                    trace.nextWrite(operation) - trace.millis(operation),
                    TtlConfig.DEFAULTS.browserMax().toMillis());
        }
    }
}
