package io.orestes.bench;

import io.orestes.caching.ttl.TtlConfig;
import io.orestes.caching.ttl.TtlEstimator;
import io.orestes.caching.ttl.TtlOutcomeListener;
import io.orestes.caching.ttl.Ttls;
import java.time.Duration;

/** A way to choose how long browsers may keep an object. */
interface TtlPolicy {

    String name();

    /** Milliseconds for the object that operation number {@code operation} of the trace reads. */
    long ttl(Trace trace, int operation, String key);

    /** A browser got what {@link #ttl} said. */
    default void granted(String key, long millis) {}

    /** An object was written. */
    default void written(String key) {}

    /** The same for everything. */
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

    /** As the product chooses it. */
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

    /** Until the next write, which it knows, but not for longer than the product may. */
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
