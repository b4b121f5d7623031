package io.orestes.bench.caching;

import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Loop;
import io.orestes.caching.response.CachedResponse;
import io.orestes.caching.response.ResponseCache;
import io.orestes.caching.sketch.BloomFilter;
import io.orestes.caching.sketch.CountingBloomFilter;
import io.orestes.caching.sketch.SketchConfig;
import io.orestes.caching.sketch.SketchSize;
import io.orestes.caching.sketch.StaleKeys;
import io.orestes.caching.ttl.Ttls;
import io.vertx.core.buffer.Buffer;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Operations of reads and writes on the caches, from one thread. */
public final class CachingBenchmark implements Benchmark {

    private static final int KEYS = 10_000;
    private static final String PROCESSOR = ", by its processor time";
    private static final Ttls HOUR = new Ttls(60, 3600);

    private final InstantSource clock = InstantSource.system();
    private final List<String> keys =
            IntStream.range(0, KEYS).mapToObj(i -> "/db/Test/key" + i).toList();

    @Override
    public String group() {
        return "caching";
    }

    @Override
    public List<String> ids() {
        return List.of("sketch-report", "sketch-invalidate", "sketch-add", "sketch-contains", "response-lookup");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) {
        StaleKeys sketch = new StaleKeys(SketchConfig.DEFAULTS, clock);
        long until = clock.millis() + 3_600_000;
        report(report, "sketch-report", number -> {
            sketch.reportRead(key(number), until + number);
            return number;
        });
        report(report, "sketch-invalidate", number -> {
            sketch.invalidate(key(number));
            return number;
        });
        report.accept(figure("sketch-add", addsPerSecond(), Goal.atLeast(5_000_000), PROCESSOR));
        BloomFilter filter = sketch.snapshot().filter();
        double contains = Loop.perProcessorSecond(number -> filter.contains(key(number)) ? 1 : 0);
        report.accept(figure("sketch-contains", contains, Goal.atLeast(10_000_000), PROCESSOR));
        ResponseCache responses = filledResponses();
        report(report, "response-lookup", number -> responses.get(key(number)).isPresent() ? 1 : 0);
    }

    /** All keys are added and removed in turn. */
    private double addsPerSecond() {
        CountingBloomFilter filter = new CountingBloomFilter(SketchSize.of(KEYS, 0.01));
        return Loop.perProcessorSecond(number -> {
            boolean isFull = number / KEYS % 2 == 1;
            return (isFull ? filter.remove(key(number)) : filter.add(key(number))) ? 1 : 0;
        });
    }

    private static void report(Consumer<Figure> report, String id, Loop.Step step) {
        report.accept(figure(id, Loop.perSecond(step), Goal.NONE, ""));
    }

    private static Figure figure(String id, double perSecond, Goal goal, String against) {
        return new Figure(id, perSecond, "calls/s", goal, KEYS + " keys, one thread" + against);
    }

    private ResponseCache filledResponses() {
        ResponseCache responses = new ResponseCache(64 << 20, clock);
        CachedResponse.Headers headers = new CachedResponse.Headers("\"1\"", "application/json", "public");
        keys.forEach(key -> responses.put(
                key,
                responses.issueTicket(key),
                new CachedResponse(headers, Buffer.buffer(new byte[1024]), 1, HOUR, clock.millis())));
        return responses;
    }

    private String key(long number) {
        return keys.get((int) (number % KEYS));
    }
}
