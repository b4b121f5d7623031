package io.orestes.bench.caching;

import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Orestes;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Bytes that a client loads for the product's filter when 10,000 objects are stale. */
public final class SketchBytesBenchmark implements Benchmark {

    private static final int STALE = 10_000;
    private static final String CLASS = "Stale";

    @Override
    public String group() {
        return "caching";
    }

    @Override
    public List<String> ids() {
        return List.of("sketch-10k-bytes");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws IOException, InterruptedException {
        BenchmarkEnvironment.say("sketch-10k-bytes");
        try (Orestes server = Orestes.start(lab)) {
            server.createClass(CLASS, new Orestes.Field("n", "Integer"));
            for (int i = 0; i < STALE; i++) {
                String path = "/v1/db/" + CLASS + "/" + i;
                server.put(path, "{\"n\":1}");
                server.get(path);
                server.put(path, "{\"n\":2}");
            }
            report.accept(figure(server.getZipped("/v1/bloomfilter"), server.get("/v1/bloomfilter")));
        }
    }

    private static Figure figure(HttpResponse<byte[]> zipped, HttpResponse<String> plain) {
        String against = String.format(
                Locale.ROOT,
                "body of /bloomfilter, Content-Encoding %s; %,d bytes without",
                zipped.headers().firstValue("Content-Encoding").orElse("none"),
                plain.body().length());
        return new Figure("sketch-10k-bytes", zipped.body().length, "bytes", Goal.atMost(12_500), against);
    }
}
