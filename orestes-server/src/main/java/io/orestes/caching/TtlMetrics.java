package io.orestes.caching;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import io.orestes.caching.ttl.TtlOutcomeListener;
import java.util.ArrayList;
import java.util.List;

/**
 * The metrics of the accuracy of times to live; their names are part of the operator's interface.
 */
final class TtlMetrics implements TtlOutcomeListener {

    private static final double[] RATIOS = {0.125, 0.25, 0.5, 1, 2, 4, 8};

    private final Meters objects;
    private final Meters queries;

    TtlMetrics(MeterRegistry registry) {
        this.objects = meters(registry, "object");
        this.queries = meters(registry, "query");
    }

    @Override
    public void ended(TtlKind kind, boolean isChanged) {
        (isChanged ? of(kind).changed() : of(kind).expired()).increment();
    }

    @Override
    public void measured(TtlKind kind, double grantedToLived) {
        of(kind).ratio().record(grantedToLived);
    }

    List<TtlAccuracy> statistics() {
        return List.of(objects.statistics("object"), queries.statistics("query"));
    }

    private Meters of(TtlKind kind) {
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

    private record Meters(Counter changed, Counter expired, DistributionSummary ratio) {

        TtlAccuracy statistics(String kind) {
            return new TtlAccuracy(kind, (long) changed.count(), (long) expired.count(), buckets(ratio.takeSnapshot()));
        }

        /** Converts the cumulative buckets of the registry to counts of single buckets. */
        private static List<TtlAccuracy.TtlRatioBucket> buckets(HistogramSnapshot snapshot) {
            List<TtlAccuracy.TtlRatioBucket> buckets = new ArrayList<>();
            long below = 0;
            for (CountAtBucket bucket : snapshot.histogramCounts()) {
                long upTo = (long) bucket.count();
                buckets.add(new TtlAccuracy.TtlRatioBucket(bucket.bucket(), upTo - below));
                below = upTo;
            }
            buckets.add(
                    new TtlAccuracy.TtlRatioBucket(Double.POSITIVE_INFINITY, Math.max(0, snapshot.count() - below)));
            return buckets;
        }
    }
}
