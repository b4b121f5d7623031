package io.orestes.changefeed;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The metrics of the change feed's consumer; their names are part of the operator's interface. */
final class ChangeFeedMetrics {

    private static final String CHANGES = "orestes.foreign.changes";

    private final Counter own;
    private final Counter external;
    private final Counter renewed;
    private final Counter gaps;

    ChangeFeedMetrics(MeterRegistry registry, Supplier<ChangeFeedConsumerStatus> state) {
        own = changes(registry, "own");
        external = changes(registry, "told");
        renewed = changes(registry, "renewed");
        gaps = Counter.builder("orestes.foreign.gaps")
                .description("How often caches and live queries had to restart because some writes were unknown")
                .register(registry);
        Gauge.builder(
                        "orestes.foreign.reading",
                        state,
                        each -> each.get().role() == ChangeFeedConsumerStatus.ConsumerRole.READING ? 1 : 0)
                .description("1 while this server reads the changes of the store and is up to date, else 0")
                .register(registry);
        TimeGauge.builder("orestes.foreign.behind", state, TimeUnit.MILLISECONDS, each -> each.get()
                        .behind()
                        .map(Duration::toMillis)
                        .orElse(0L))
                .description("Age up to which writes by others may be unannounced; 0 unless this server reads")
                .register(registry);
    }

    private static Counter changes(MeterRegistry registry, String kind) {
        return Counter.builder(CHANGES)
                .tag("kind", kind)
                .description("Changes that were read: own ones, of servers; told ones, which no server had announced;"
                        + " and renewed ones, which got another version before")
                .register(registry);
    }

    /** Counts a change that a server made and announced. */
    void countOwn() {
        own.increment();
    }

    /** Counts a change that no server had announced. */
    void countExternal() {
        external.increment();
    }

    /** Counts a change after which the object got a new version. */
    void countRenewed() {
        renewed.increment();
    }

    /** Counts a loss of changes, after which the caches of a class or of all were dropped. */
    void countGap() {
        gaps.increment();
    }
}
