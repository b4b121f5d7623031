package io.orestes.http;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.orestes.read.ReadResult;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * The counters of answered reads by source and by whether the client's copy was current.
 * Thread-safe.
 */
public final class ReadSourceCounters {

    private final Map<ReadResult.ResponseSource, Counts> bySource = new EnumMap<>(ReadResult.ResponseSource.class);

    /** Counts that the registry reads off; the names are part of the operator's interface. */
    public ReadSourceCounters(MeterRegistry registry) {
        for (ReadResult.ResponseSource source : ReadResult.ResponseSource.values()) {
            Counts counts = new Counts(new LongAdder(), new LongAdder());
            bySource.put(source, counts);
            bind(registry, source, "200", counts.full());
            bind(registry, source, "304", counts.unchanged());
        }
    }

    void add(ReadResult.ResponseSource source, boolean isUnchanged) {
        Counts counts = of(source);
        (isUnchanged ? counts.unchanged() : counts.full()).increment();
    }

    Counts of(ReadResult.ResponseSource source) {
        return Objects.requireNonNull(bySource.get(source));
    }

    private static void bind(MeterRegistry registry, ReadResult.ResponseSource source, String status, LongAdder count) {
        FunctionCounter.builder("orestes.http.reads", count, LongAdder::sum)
                .tag("source", source.name().toLowerCase(Locale.ROOT))
                .tag("status", status)
                .description("Answers to reads of objects and queries: from memory, from the store, past all caches")
                .register(registry);
    }

    /**
     * Since the start.
     *
     * @param full answers with a body
     * @param unchanged answers 304, as the caller's copy was the newest
     */
    record Counts(LongAdder full, LongAdder unchanged) {}
}
