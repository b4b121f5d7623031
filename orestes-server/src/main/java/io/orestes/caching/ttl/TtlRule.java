package io.orestes.caching.ttl;

import java.util.function.Supplier;

/** A rule that determines the times to live of a class: estimated, fixed or none. */
public sealed interface TtlRule {

    /** The rule that no cache may store anything of the class without revalidation. */
    TtlRule OFF = new FixedTtl(Ttls.NONE);

    Ttls choose(Supplier<Ttls> estimate);

    /** The rule that estimates the times to live from how often each key changes. */
    record EstimatedTtl() implements TtlRule {
        @Override
        public Ttls choose(Supplier<Ttls> estimate) {
            return estimate.get();
        }
    }

    /** The rule that grants the same times to live to all keys of a class. */
    record FixedTtl(Ttls ttls) implements TtlRule {
        @Override
        public Ttls choose(Supplier<Ttls> estimate) {
            return ttls;
        }
    }
}
