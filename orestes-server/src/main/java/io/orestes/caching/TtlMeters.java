package io.orestes.caching;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.orestes.caching.ttl.TtlOutcomes;

/** How right times to live were; the names are part of the operator's interface. */
final class TtlMeters implements TtlOutcomes {

    private static final double[] RATIOS = {0.125, 0.25, 0.5, 1, 2, 4, 8};

    private final Meters objects;
    private final Meters queries;

    TtlMeters(MeterRegistry registry) {
        this.objects = meters(registry, "object");
        this.queries = meters(registry, "query");
    }

    @Override
    public void ended(Kind kind, boolean isChanged) {
        (isChanged ? of(kind).changed() : of(kind).expired()).increment();
    }

    @Override
    public void measured(Kind kind, double grantedToLived) {
        of(kind).ratio().record(grantedToLived);
    }

    private Meters of(Kind kind) {
        return switch (kind) {
            case OBJECT -> objects;
            case QUERY -> queries;
        };
    }

    private static Meters meters(MeterRegistry registry, String kind) {
        return new Meters(ended(registry, kind, "changed"), ended(registry, kind, "expired"), ratio(registry, kind));
    }

    private static Counter ended(MeterRegistry registry, String kind, String by) {
        return Counter.builder("orestes.caching.ttl.ended")
                .tag("kind", kind)
                .tag("by", by)
                .description("Times to live that ended early by a change, or expired unchanged")
                .register(registry);
    }

    private static DistributionSummary ratio(MeterRegistry registry, String kind) {
        return DistributionSummary.builder("orestes.caching.ttl.ratio")
                .tag("kind", kind)
                .description("Time to live as granted, divided by how long the state lived")
                .serviceLevelObjectives(RATIOS)
                .register(registry);
    }

    private record Meters(Counter changed, Counter expired, DistributionSummary ratio) {}
}
