package io.orestes.bench;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Log-ins with the default cost of a hash: how many there are a second, and what they do to cached reads meanwhile. */
final class LoginBenchmark implements Benchmark {

    private static final int ROUNDS = 5;
    private static final int SECONDS = 5;
    private static final int LOGINS_PER_SECOND = 50;
    private static final int READS_PER_SECOND = 500;
    private static final String OBJECT = "/v1/db/" + Documents.ITEM + "/large";

    private final HttpClient http = client();

    /** Of its own, so that reads do not wait for log-ins on this side. */
    private final HttpClient reads = client();

    @Override
    public String group() {
        return "product";
    }

    @Override
    public List<String> ids() {
        return List.of("login-vs-cores", "login-hit-p99-vs-idle");
    }

    @Override
    public void run(Lab lab, Consumer<Figure> report) throws IOException, InterruptedException {
        Lab.say("login-vs-cores");
        try (Orestes orestes = Orestes.start(lab)) {
            orestes.createClass(Documents.ITEM, Documents.itemFields());
            orestes.put(OBJECT, Documents.item("large", 0, 1024));
            reportRate(orestes, report);
            reportReads(orestes, report);
        }
    }

    private void reportRate(Orestes orestes, Consumer<Figure> report) throws InterruptedException {
        int cores = Runtime.getRuntime().availableProcessors();
        Samples shares = new Samples();
        Samples rates = new Samples();
        Samples hashes = new Samples();
        double ignored = loginsPerSecond(orestes, 1) + loginsPerSecond(orestes, 4 * cores);
        for (int round = 0; round < ROUNDS; round++) {
            double alone = loginsPerSecond(orestes, 1);
            double rate = loginsPerSecond(orestes, 4 * cores);
            hashes.add(1000 / alone);
            rates.add(rate);
            shares.add(rate / (alone * cores));
        }
        String against = String.format(
                "%.0f log-ins/s with %d under way, %.1f ms for one alone, %d cores",
                rates.median(), 4 * cores, hashes.median(), cores);
        report.accept(new Figure("login-vs-cores", shares.median(), "ratio", Goal.atLeast(0.8), against));
    }

    /** Log-ins that were not answered in time are part of the load, and count as what they are: fewer than there should be. */
    private void reportReads(Orestes orestes, Consumer<Figure> report) throws IOException, InterruptedException {
        Samples idle = new Samples();
        Samples busy = new Samples();
        Samples ratios = new Samples();
        Samples logins = new Samples();
        double ignored = p99(orestes);
        for (int round = 0; round < ROUNDS; round++) {
            double quiet = p99(orestes);
            Load load = new Load(orestes);
            double loaded = p99(orestes);
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

    private double loginsPerSecond(Orestes orestes, int underWay) throws InterruptedException {
        Semaphore places = new Semaphore(underWay);
        LongAdder done = new LongAdder();
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(SECONDS)) {
            places.acquire();
            var ignored = logIn(orestes).whenComplete((answer, failure) -> {
                done.add(failure == null && answer.statusCode() == 200 ? 1 : 0);
                places.release();
            });
        }
        places.acquire(underWay);
        return done.sum() * 1e9 / (System.nanoTime() - begin);
    }

    /** From when a read was due, so that a read that was held up does not hide those behind it. */
    private double p99(Orestes orestes) throws IOException, InterruptedException {
        Latencies latencies = new Latencies();
        HttpRequest read =
                HttpRequest.newBuilder(URI.create(orestes.url(OBJECT))).build();
        long begin = System.nanoTime();
        for (int i = 0; i < SECONDS * READS_PER_SECOND; i++) {
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
        HttpRequest request = HttpRequest.newBuilder(URI.create(orestes.url("/v1/db/User/login")))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"username\":\"root\",\"password\":\"bench\"}"))
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

        /** How many succeeded by now; returns when nothing is left that would disturb what comes next. */
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
