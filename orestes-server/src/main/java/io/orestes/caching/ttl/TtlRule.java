package io.orestes.caching.ttl;

import java.util.function.Supplier;

/** How the times to live of a class are chosen. */
public sealed interface TtlRule {

    /** Nobody may keep anything of the class without asking. */
    TtlRule OFF = new FixedTtl(Ttls.NONE);

    Ttls choose(Supplier<Ttls> estimate);

    /** From how often each key changes. */
    record EstimatedTtl() implements TtlRule {
        @Override
        public Ttls choose(Supplier<Ttls> estimate) {
            return estimate.get();
        }
    }

    /** Always the same. */
    record FixedTtl(Ttls ttls) implements TtlRule {
        @Override
        public Ttls choose(Supplier<Ttls> estimate) {
            return ttls;
        }
    }
}
