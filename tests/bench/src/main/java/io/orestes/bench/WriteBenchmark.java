package io.orestes.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Durable replaces of 1 KB objects by id, 64 under way at a time: through HTTP, asked for by wrk, against the embedded store
 * in a JVM with the same flags that writes the same objects to the same disk.
 */
final class WriteBenchmark implements Benchmark {

    private static final int ROUNDS = 5;
    private static final int WARM_UP_SECONDS = 20;
    private static final int SECONDS = 4;

    /** Objects that are written in turn, so that no two writes under way are to the same one. */
    static final int OBJECTS = 1000;

    @Override
    public String group() {
        return "product";
    }

    @Override
    public List<String> ids() {
        return List.of("write-vs-store");
    }

    @Override
    public void run(Lab lab, Consumer<Figure> report) throws IOException, InterruptedException {
        Lab.say("write-vs-store");
        Wrk wrk = Wrk.find(lab);
        String script = script(lab).toString();
        try (Orestes orestes = Orestes.start(lab);
                Peer store =
                        Peer.start(orestes, StorePeer.class, lab.folder("store").toString())) {
            orestes.createClass(Documents.ITEM, Documents.itemFields());
            Samples ours = new Samples();
            Samples theirs = new Samples();
            Samples ratios = new Samples();
            double ignored = wrk.rate(WARM_UP_SECONDS, orestes.url("/"), "-s", script)
                    + Double.parseDouble(store.ask(Integer.toString(WARM_UP_SECONDS)));
            for (int round = 0; round < ROUNDS; round++) {
                double our = wrk.rate(SECONDS, orestes.url("/"), "-s", script);
                double their = Double.parseDouble(store.ask(Integer.toString(SECONDS)));
                ours.add(our);
                theirs.add(their);
                ratios.add(our / their);
            }
            String against =
                    String.format("orestes %,.0f/s, embedded store alone %,.0f/s", ours.median(), theirs.median());
            report.accept(new Figure("write-vs-store", ratios.median(), "ratio", Goal.atLeast(0.60), against));
        }
    }

    /** All requests are made beforehand, so that the load generator has little to do. */
    private static Path script(Lab lab) throws IOException {
        Path script = lab.scratch().resolve("put.lua");
        Files.writeString(
                script,
                """
                local requests, at = {}, 0
                function init(args)
                  local headers = { ["Content-Type"] = "application/json" }
                  for i = 0, %1$d - 1 do
                    local body = string.gsub('%2$s', "@", "w" .. i)
                    requests[i] = wrk.format("PUT", "/v1/db/%3$s/w" .. i, headers, body)
                  end
                end
                function request()
                  at = (at + 1) %% %1$d
                  return requests[at]
                end
                """
                        .formatted(OBJECTS, Documents.item("@", 0, 1024), Documents.ITEM));
        return script;
    }
}
