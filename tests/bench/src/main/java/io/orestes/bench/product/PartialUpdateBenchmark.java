package io.orestes.bench.product;

import io.orestes.bench.client.Wrk;
import io.orestes.bench.harness.AlternatingLoad;
import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Documents;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Orestes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Partial updates against replaces of the same objects of 1 KB on one server, 64 under way at a
 * time, each synced to disk before it is answered.
 */
public final class PartialUpdateBenchmark implements Benchmark {

    private static final int ROUNDS = 5;
    private static final int WARM_UP_SECONDS = 20;
    private static final int SECONDS = 4;

    @Override
    public String group() {
        return "product";
    }

    @Override
    public List<String> ids() {
        return List.of("partial-update-vs-replace");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws IOException, InterruptedException {
        BenchmarkEnvironment.say("partial-update-vs-replace");
        try (Orestes orestes = Orestes.start(lab)) {
            orestes.createClass(Documents.ITEM, Documents.itemFields());
            Wrk wrk = Wrk.find(lab);
            String replaces = Wrk.writeReplaceScript(lab).toString();
            String updates = script(lab).toString();
            // replaces first: they create the objects
            AlternatingLoad turns = new AlternatingLoad()
                    .with("replaces", seconds -> wrk.rate(seconds, orestes.url("/"), "-s", replaces))
                    .with("updates", seconds -> wrk.rate(seconds, orestes.url("/"), "-s", updates))
                    .run(WARM_UP_SECONDS, ROUNDS, SECONDS);
            report.accept(figure(turns));
        }
    }

    private static Figure figure(AlternatingLoad turns) {
        String against =
                String.format("updates %,.0f/s, replaces %,.0f/s", turns.median("updates"), turns.median("replaces"));
        return new Figure(
                "partial-update-vs-replace", turns.ratio("updates", "replaces"), "ratio", Goal.atLeast(0.9), against);
    }

    private static Path script(BenchmarkEnvironment lab) throws IOException {
        Path script = lab.scratch().resolve("update.lua");
        Files.writeString(
                script,
                """
                local requests, at = {}, 0
                function init(args)
                  local headers = { ["Content-Type"] = "application/json" }
                  for i = 0, %1$d - 1 do
                    requests[i] = wrk.format("POST", "/v1/db/%2$s/w" .. i, headers, \
                        '{"$inc":{"shelf":1},"$set":{"price":9.5}}')
                  end
                end
                function request()
                  at = (at + 1) %% %1$d
                  return requests[at]
                end
                """
                        .formatted(Documents.WRITTEN_ITEMS, Documents.ITEM));
        return script;
    }
}
