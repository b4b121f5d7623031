package io.orestes.bench.product;

import io.orestes.bench.client.Wrk;
import io.orestes.bench.harness.BareServer;
import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Documents;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Orestes;
import io.orestes.bench.harness.Samples;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/**
 * Cached reads, against a Vert.x handler in a JVM with the same flags that writes the same status,
 * headers and body. wrk sends requests to both in turn.
 */
public final class ReadBenchmark implements Benchmark {

    private static final int ROUNDS = 5;
    private static final int WARM_UP_SECONDS = 6;
    private static final int SECONDS = 3;
    private static final String OBJECT = "/v1/db/" + Documents.ITEM + "/large";
    private static final String QUERY =
            "/v1/db/" + Documents.ITEM + "/query?q=" + URLEncoder.encode("{\"shelf\":7}", StandardCharsets.UTF_8);

    @Override
    public String group() {
        return "product";
    }

    @Override
    public List<String> ids() {
        return List.of("read-hit-vs-bare", "read-304-vs-bare", "query-hit-vs-bare");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws IOException, InterruptedException {
        Wrk wrk = Wrk.find(lab);
        try (Orestes orestes = Orestes.start(lab)) {
            fill(orestes);
            String etag = orestes.getCached(OBJECT).headers().firstValue("ETag").orElseThrow();
            report.accept(compare(wrk, orestes, "read-hit-vs-bare", 0.70, 200, OBJECT));
            report.accept(compare(wrk, orestes, "read-304-vs-bare", 0.70, 304, OBJECT, "-H", "If-None-Match: " + etag));
            report.accept(compare(wrk, orestes, "query-hit-vs-bare", 0.55, 200, QUERY));
        }
    }

    private static void fill(Orestes orestes) throws IOException, InterruptedException {
        orestes.createClass(Documents.ITEM, Documents.itemFields());
        orestes.put(OBJECT, Documents.item("large", 0, 1024));
        for (int i = 0; i < 10; i++) {
            orestes.put("/v1/db/" + Documents.ITEM + "/q" + i, Documents.item("q" + i, 7, 250));
        }
    }

    private static Figure compare(
            Wrk wrk, Orestes orestes, String id, double goal, int status, String path, String... options)
            throws IOException, InterruptedException {
        BenchmarkEnvironment.say(id);
        HttpResponse<String> answer = orestes.getCached(path);
        try (BareServer.Handle bare = BareServer.answering(orestes, status, answer)) {
            Samples ours = new Samples();
            Samples theirs = new Samples();
            Samples ratios = new Samples();
            double ignored = wrk.rate(WARM_UP_SECONDS, orestes.url(path), options)
                    + wrk.rate(WARM_UP_SECONDS, bare.url(path), options);
            for (int round = 0; round < ROUNDS; round++) {
                double our = wrk.rate(SECONDS, orestes.url(path), options);
                double their = wrk.rate(SECONDS, bare.url(path), options);
                ours.add(our);
                theirs.add(their);
                ratios.add(our / their);
            }
            String against = String.format(
                    "orestes %,.0f/s, bare Vert.x %,.0f/s, body of %,d bytes",
                    ours.median(),
                    theirs.median(),
                    status == 304 ? 0 : answer.body().length());
            return new Figure(id, ratios.median(), "ratio", Goal.atLeast(goal), against);
        }
    }
}
