package io.orestes.bench.product;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.orestes.auth.password.HashPeer;
import io.orestes.bench.client.Wrk;
import io.orestes.bench.harness.AlternatingLoad;
import io.orestes.bench.harness.Benchmark;
import io.orestes.bench.harness.BenchmarkEnvironment;
import io.orestes.bench.harness.Documents;
import io.orestes.bench.harness.Figure;
import io.orestes.bench.harness.Goal;
import io.orestes.bench.harness.Latencies;
import io.orestes.bench.harness.Orestes;
import io.orestes.bench.harness.Peer;
import io.orestes.bench.harness.Samples;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Log-ins with the default cost of a hash: their rate, their effect on cached reads meanwhile, and
 * whether the time of a failed one reveals that a user of that name exists.
 */
public final class LoginBenchmark implements Benchmark {

    private static final int ROUNDS = 5;
    /**
     * Time in which a hundred requests a second get compiled; compilers use the processors that
     * hashes would.
     */
    private static final int WARM_UP_SECONDS = 30;

    private static final int SECONDS = 5;
    private static final int LOGINS_PER_SECOND = 50;
    private static final int READS_PER_SECOND = 500;
    private static final int GUESSES = 200;
    private static final String OBJECT = "/v1/db/" + Documents.ITEM + "/large";

    private final HttpClient http = client();

    /** A client of its own, so that reads do not wait for log-ins on this side. */
    private final HttpClient reads = client();

    @Override
    public String group() {
        return "product";
    }

    @Override
    public List<String> ids() {
        return List.of("login-vs-hash", "login-hit-p99-vs-idle", "login-unknown-vs-wrong");
    }

    @Override
    public void run(BenchmarkEnvironment lab, Consumer<Figure> report) throws IOException, InterruptedException {
        BenchmarkEnvironment.say("login-vs-hash");
        try (Orestes orestes = Orestes.start(lab)) {
            orestes.createClass(Documents.ITEM, Documents.itemFields());
            orestes.put(OBJECT, Documents.item("large", 0, 1024));
            reportRate(orestes, lab, report);
            reportReads(orestes, report);
            reportGuesses(orestes, report);
        }
    }

    /**
     * The bound is the number of cores by the time of a hash: the rate of the hash alone with a
     * thread for each core.
     */
    private static void reportRate(Orestes orestes, BenchmarkEnvironment lab, Consumer<Figure> report)
            throws IOException, InterruptedException {
        Wrk wrk = Wrk.find(lab);
        String script = script(lab).toString();
        try (Peer hasher = Peer.start(orestes, HashPeer.class)) {
            AlternatingLoad turns = new AlternatingLoad()
                    .with("log-ins", seconds -> wrk.rate(seconds, orestes.url("/v1/db/User/login"), "-s", script))
                    .with("hashes", seconds -> hashesPerSecond(hasher, seconds))
                    .run(WARM_UP_SECONDS, ROUNDS, SECONDS);
            report.accept(share(turns));
        }
    }

    private static Figure share(AlternatingLoad turns) {
        int cores = Runtime.getRuntime().availableProcessors();
        double hashes = turns.median("hashes");
        String against = String.format(
                "%.0f log-ins/s with %d under way, %.0f hashes/s alone by %d threads: %.1f ms each",
                turns.median("log-ins"), Wrk.CONNECTIONS, hashes, cores, 1000 * cores / hashes);
        return new Figure("login-vs-hash", turns.ratio("log-ins", "hashes"), "ratio", Goal.atLeast(0.8), against);
    }

    private static Path script(BenchmarkEnvironment lab) throws IOException {
        return Files.writeString(
                lab.scratch().resolve("login.lua"),
                """
                wrk.method = "POST"
                wrk.headers["Content-Type"] = "application/json"
                wrk.body = '{"username":"root","password":"bench"}'
                """);
    }

    private static double hashesPerSecond(Peer hasher, int seconds) throws IOException {
        return Double.parseDouble(hasher.ask(Integer.toString(seconds)));
    }

    /** Log-ins that were not answered in time are part of the load, and count as missing ones. */
    private void reportReads(Orestes orestes, Consumer<Figure> report) throws IOException, InterruptedException {
        Samples idle = new Samples();
        Samples busy = new Samples();
        Samples ratios = new Samples();
        Samples logins = new Samples();
        double ignored = p99(orestes, WARM_UP_SECONDS);
        for (int round = 0; round < ROUNDS; round++) {
            double quiet = p99(orestes, SECONDS);
            Load load = new Load(orestes);
            double loaded = p99(orestes, SECONDS);
            logins.add(load.stop() / (double) SECONDS);
            idle.add(quiet);
            busy.add(loaded);
            ratios.add(loaded / quiet);
        }
        String against = String.format(
                "p99 %.2f ms with %d log-ins/s asked for and %.0f answered, %.2f ms without; %d reads/s",
                busy.median(), LOGINS_PER_SECOND, logins.median(), idle.median(), READS_PER_SECOND);
        report.accept(new Figure("login-hit-p99-vs-idle", ratios.median(), "ratio", Goal.atMost(2), against));
    }

    /** Both alternate; a successful log-in between them resets the failures of the name. */
    private void reportGuesses(Orestes orestes, Consumer<Figure> report) {
        Samples wrong = new Samples();
        Samples unknown = new Samples();
        for (int guess = 0; guess < GUESSES; guess++) {
            wrong.add(failedMillis(orestes, "root", "guess"));
            unknown.add(failedMillis(orestes, "nobody" + guess, "guess"));
            requireStatus(200, logIn(orestes).join());
        }
        double ratio = unknown.median() / wrong.median();
        String against = String.format(
                "%.2f ms for an unused name, %.2f ms for a wrong password; medians of %d in turns",
                unknown.median(), wrong.median(), GUESSES);
        report.accept(
                new Figure("login-unknown-vs-wrong", Math.max(ratio, 1 / ratio), "ratio", Goal.atMost(1.05), against));
    }

    private double failedMillis(Orestes orestes, String name, String password) {
        long begin = System.nanoTime();
        requireStatus(460, logIn(orestes, name, password).join());
        return (System.nanoTime() - begin) / 1e6;
    }

    private static void requireStatus(int expected, HttpResponse<Void> answer) {
        if (answer.statusCode() != expected) {
            throw new IllegalStateException("A log-in was answered with " + answer.statusCode());
        }
    }

    /**
     * Measures from the scheduled time of a read, so that a delayed read does not hide those behind
     * it.
     */
    private double p99(Orestes orestes, int seconds) throws IOException, InterruptedException {
        Latencies latencies = new Latencies();
        HttpRequest read =
                HttpRequest.newBuilder(URI.create(orestes.url(OBJECT))).build();
        long begin = System.nanoTime();
        for (int i = 0; i < seconds * READS_PER_SECOND; i++) {
            long due = begin + i * 1_000_000_000L / READS_PER_SECOND;
            while (System.nanoTime() < due) {
                TimeUnit.NANOSECONDS.sleep(Math.max(1, due - System.nanoTime()));
            }
            if (reads.send(read, BodyHandlers.ofString()).statusCode() != 200) {
                throw new IOException("A read was refused");
            }
            latencies.addNanos(System.nanoTime() - due);
        }
        return latencies.millis(0.99);
    }

    @CanIgnoreReturnValue
    private CompletableFuture<HttpResponse<Void>> logIn(Orestes orestes) {
        return logIn(orestes, "root", "bench");
    }

    private CompletableFuture<HttpResponse<Void>> logIn(Orestes orestes, String name, String password) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(orestes.url("/v1/db/User/login")))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"username\":\"%s\",\"password\":\"%s\"}".formatted(name, password)))
                .build();
        return http.sendAsync(request, BodyHandlers.discarding());
    }

    private static HttpClient client() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    /** Log-ins at a steady rate, from now until it is stopped. */
    private final class Load {

        private final ScheduledExecutorService schedule = Executors.newSingleThreadScheduledExecutor();
        private final List<CompletableFuture<HttpResponse<Void>>> asked = new ArrayList<>();
        private final AtomicInteger answered = new AtomicInteger();

        private Load(Orestes orestes) {
            var ignored = schedule.scheduleAtFixedRate(
                    () -> asked.add(logIn(orestes).whenComplete(this::count)),
                    0,
                    1_000_000L / LOGINS_PER_SECOND,
                    TimeUnit.MICROSECONDS);
        }

        private void count(HttpResponse<Void> answer, Throwable failure) {
            answered.addAndGet(failure == null && answer.statusCode() == 200 ? 1 : 0);
        }

        /**
         * Returns the number of successes; returns when nothing is left that would disturb the next
         * measurement.
         */
        private int stop() throws InterruptedException {
            int now = answered.get();
            schedule.shutdown();
            boolean ended = schedule.awaitTermination(1, TimeUnit.MINUTES);
            CompletableFuture<?>[] open =
                    ended ? asked.toArray(new CompletableFuture<?>[0]) : new CompletableFuture<?>[0];
            var ignored =
                    CompletableFuture.allOf(open).exceptionally(failure -> null).join();
            return now;
        }
    }
}
