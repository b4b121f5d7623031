package io.orestes.http.caching;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.orestes.read.response.ReadResult;
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

    /** Registers the counters; their names are part of the operator's interface. */
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
                .description("Responses to reads of objects and queries: from memory, from the store, past all caches")
                .register(registry);
    }

    /**
     * Counts since the start.
     *
     * @param full number of responses with a body
     * @param unchanged number of 304 responses, for which the caller's copy was current
     */
    record Counts(LongAdder full, LongAdder unchanged) {}
}
