package io.orestes.bench.product;

import io.orestes.bench.client.Wrk;
import io.orestes.bench.harness.AlternatingLoad;
import io.orestes.bench.harness.BareServer;
import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Documents;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Orestes;
import io.orestes.bench.harness.Peer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.function.Consumer;

/**
 * Durable replaces of 1 KB objects by id, 64 under way at a time: through HTTP, requested by wrk,
 * against the embedded store in a JVM with the same flags that writes the same objects to the same
 * disk. A Vert.x handler that reads the same bodies and sends the same answers, but stores nothing,
 * shows what HTTP and the load generator leave for everything else.
 */
public final class WriteBenchmark implements Benchmark {

    private static final int ROUNDS = 5;
    private static final int WARM_UP_SECONDS = 20;
    private static final int SECONDS = 4;

    @Override
    public String group() {
        return "product";
    }

    @Override
    public List<String> ids() {
        return List.of("write-vs-store");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws IOException, InterruptedException {
        BenchmarkEnvironment.say("write-vs-store");
        try (Orestes orestes = Orestes.start(lab)) {
            orestes.createClass(Documents.ITEM, Documents.itemFields());
            HttpResponse<String> answer =
                    orestes.put("/v1/db/" + Documents.ITEM + "/w0", Documents.item("w0", 0, 1024));
            try (Peer store = Peer.start(
                            orestes, StorePeer.class, lab.folder("store").toString());
                    BareServer.Handle bare = BareServer.answering(orestes, 200, answer)) {
                Wrk wrk = Wrk.find(lab);
                String script = Wrk.writeReplaceScript(lab).toString();
                report.accept(figure(new AlternatingLoad()
                        .with("orestes", seconds -> wrk.rate(seconds, orestes.url("/"), "-s", script))
                        .with("store", seconds -> Double.parseDouble(store.ask(Integer.toString(seconds))))
                        .with("bare", seconds -> wrk.rate(seconds, bare.url("/"), "-s", script))
                        .run(WARM_UP_SECONDS, ROUNDS, SECONDS)));
            }
        }
    }

    private static Figure figure(AlternatingLoad turns) {
        String against = String.format(
                "orestes %,.0f/s, embedded store alone %,.0f/s; Vert.x that stores nothing %,.0f/s",
                turns.median("orestes"), turns.median("store"), turns.median("bare"));
        return new Figure("write-vs-store", turns.ratio("orestes", "store"), "ratio", Goal.atLeast(0.60), against);
    }
}
