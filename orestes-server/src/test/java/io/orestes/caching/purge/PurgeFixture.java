package io.orestes.caching.purge;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;

/** Common fixture of purge tests, for targets of all kinds. */
abstract class PurgeFixture {

    final Vertx vertx = Vertx.vertx();
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @AfterEach
    void stop() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    static void waitUntil(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("time").isLessThan(end);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    /** Returns a counter of purges, summed over all targets. */
    double count(String name) {
        return registry.get("orestes.caching.purge." + name).counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    double backlog() {
        return registry.get("orestes.caching.purge.backlog").gauges().stream()
                .mapToDouble(gauge -> gauge.value())
                .sum();
    }
}
