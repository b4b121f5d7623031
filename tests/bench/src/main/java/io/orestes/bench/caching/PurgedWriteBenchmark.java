package io.orestes.bench.caching;

import io.orestes.bench.client.Pipelined;
import io.orestes.bench.client.Wrk;
import io.orestes.bench.harness.AlternatingLoad;
import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Documents;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Orestes;
import io.orestes.bench.harness.Samples;
import io.orestes.support.process.Ports;
import io.orestes.support.varnish.Varnish;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Durable replaces of 1 KB objects that caches have: by a server that purges a Varnish before it
 * answers, and by one that has no Varnish. Under full load, and one at a time, which shows what the
 * purge adds to the time of a write.
 */
public final class PurgedWriteBenchmark implements Benchmark {

    private static final int ROUNDS = 5;
    private static final int WARM_UP_SECONDS = 15;
    private static final int SECONDS = 4;
    private static final int SINGLE_WRITES = 1_500;

    private final List<String> paths = IntStream.range(0, Documents.WRITTEN_ITEMS)
            .mapToObj(i -> "/v1/db/" + Documents.ITEM + "/w" + i)
            .toList();

    @Override
    public String group() {
        return "caching";
    }

    @Override
    public List<String> ids() {
        return List.of("write-with-varnish", "write-purge-ms");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws IOException, InterruptedException {
        BenchmarkEnvironment.say("write-with-varnish");
        int port = Ports.free();
        try (Orestes plain = Orestes.start(lab);
                Orestes purging = Orestes.start(lab, List.of(port));
                Varnish varnish = lab.varnish(port, purging.port())) {
            fill(plain, plain.port());
            fill(purging, varnish.port());
            throughput(lab, plain, purging, report);
            latency(plain, purging, varnish, report);
        }
    }

    /** Writes the objects and reads them, so that there is something to purge. */
    private void fill(Orestes orestes, int reads) throws IOException, InterruptedException {
        orestes.createClass(Documents.ITEM, Documents.itemFields());
        for (int i = 0; i < paths.size(); i++) {
            orestes.put(paths.get(i), Documents.item("w" + i, 0, 1024));
        }
        Pipelined.send(reads, 2, paths.stream().map(Pipelined::get).toList());
    }

    private static void throughput(BenchmarkEnvironment lab, Orestes plain, Orestes purging, Consumer<Figure> report)
            throws IOException, InterruptedException {
        Wrk wrk = Wrk.find(lab);
        Path script = Wrk.writeReplaceScript(lab);
        AlternatingLoad turns = new AlternatingLoad()
                .with("purging", seconds -> wrk.rate(seconds, purging.url("/"), "-s", script.toString()))
                .with("plain", seconds -> wrk.rate(seconds, plain.url("/"), "-s", script.toString()))
                .run(WARM_UP_SECONDS, ROUNDS, SECONDS);
        String against = String.format(
                "%,.0f/s with one Varnish to purge, %,.0f/s without", turns.median("purging"), turns.median("plain"));
        report.accept(new Figure(
                "write-with-varnish", turns.ratio("purging", "plain"), "ratio", Goal.atLeast(0.85), against));
    }

    private void latency(Orestes plain, Orestes purging, Varnish varnish, Consumer<Figure> report)
            throws IOException, InterruptedException {
        Samples without = new Samples();
        Samples with = new Samples();
        for (int i = 0; i < SINGLE_WRITES; i++) {
            without.add(millis(plain, plain.port(), i));
            with.add(millis(purging, varnish.port(), i));
        }
        String against = String.format(
                "medians: %.2f ms with a Varnish to purge, %.2f ms without, one write at a time",
                with.median(), without.median());
        report.accept(new Figure("write-purge-ms", with.median() - without.median(), "ms", Goal.atMost(1), against));
    }

    /** Measures a write of what was read just before, so that there is a copy to purge. */
    private double millis(Orestes orestes, int reads, int write) throws IOException, InterruptedException {
        int i = write % paths.size();
        Pipelined.send(reads, 1, List.of(Pipelined.get(paths.get(i))));
        String body = Documents.item("w" + i, write, 1024);
        long begin = System.nanoTime();
        orestes.put(paths.get(i), body);
        return (System.nanoTime() - begin) / 1e6;
    }
}
