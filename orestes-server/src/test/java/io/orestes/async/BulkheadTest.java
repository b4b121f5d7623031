package io.orestes.async;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitThat;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BulkheadTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final Vertx vertx = Vertx.vertx();
    private final List<String> begun = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        await(vertx.close());
    }

    @Test
    void run_moreThanAreLet_waitInOrder() {
        Bulkhead few = new Bulkhead(vertx, 2, limits(10, LONG));
        Promise<String> a = Promise.promise();
        Promise<String> b = Promise.promise();
        Promise<String> c = Promise.promise();
        Future<String> first = few.run(() -> work("a", a));
        Future<String> second = few.run(() -> work("b", b));
        Future<String> third = few.run(() -> work("c", c));
        Future<String> fourth = few.run(() -> work("d", Promise.promise()));
        assertThat(begun).containsExactly("a", "b");

        b.complete("done");
        c.complete("done");

        assertThat(await(second)).isEqualTo("done");
        assertThat(await(third)).isEqualTo("done");
        awaitThat(() -> begun.contains("d"));
        assertThat(begun).containsExactly("a", "b", "c", "d");
        assertThat(first.isComplete()).isFalse();
        assertThat(fourth.isComplete()).isFalse();
    }

    @Test
    void run_workThatFailsOrThrows_makesWay() {
        Bulkhead few = new Bulkhead(vertx, 1, limits(0, LONG));

        assertThat(few.run(() -> Future.failedFuture("no")).failed()).isTrue();
        assertThat(few.run(() -> {
                            throw new IllegalStateException("no");
                        })
                        .failed())
                .isTrue();

        assertThat(await(few.run(() -> Future.succeededFuture("yes")))).isEqualTo("yes");
    }

    @Test
    void run_whileTooManyWait_isRefused() {
        Bulkhead few = new Bulkhead(vertx, 1, limits(1, LONG));
        var first = few.run(() -> work("a", Promise.promise()));
        var second = few.run(() -> work("b", Promise.promise()));

        Future<String> third = few.run(() -> work("c", Promise.promise()));

        assertThat(failureOf(third).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(first.isComplete() || second.isComplete()).isFalse();
    }

    @Test
    void run_whoseTurnDoesNotCome_isRefusedAndTakesNone() {
        Bulkhead few = new Bulkhead(vertx, 1, limits(10, Duration.ofMillis(1)));
        Promise<String> a = Promise.promise();
        Future<String> first = few.run(() -> work("a", a));

        Future<String> second = few.run(() -> work("b", Promise.promise()));

        assertThat(failureOf(second).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        a.complete("done");
        assertThat(await(first)).isEqualTo("done");
        assertThat(await(few.run(() -> Future.succeededFuture("next")))).isEqualTo("next");
        assertThat(begun).containsExactly("a");
    }

    private Future<String> work(String name, Promise<String> end) {
        begun.add(name);
        return end.future();
    }

    @Test
    void run_queueWithoutLimits_runsAllInOrder() {
        Bulkhead few = new Bulkhead(vertx, 1);
        Promise<String> a = Promise.promise();
        List<Future<String>> all = new ArrayList<>(List.of(few.run(() -> work("a", a))));
        for (int i = 0; i < 100; i++) {
            String name = "b" + i;
            all.add(few.run(() -> work(name, completed())));
        }

        a.complete("done");

        assertThat(await(Future.all(all)).<String>list()).containsOnly("done");
        assertThat(begun).hasSize(101).startsWith("a", "b0", "b1");
    }

    @Test
    void run_queued_runsOnTheContextOfItsCaller() {
        Bulkhead few = new Bulkhead(vertx, 1);
        Promise<String> a = Promise.promise();
        var first = few.run(() -> work("a", a));
        Context home = vertx.getOrCreateContext();
        Promise<Context> ranOn = Promise.promise();
        Promise<Future<Void>> queued = Promise.promise();

        home.runOnContext(there -> queued.complete(few.run(() -> {
            ranOn.complete(Vertx.currentContext());
            return Future.succeededFuture();
        })));
        Future<Void> second = await(queued.future());
        a.complete("done");

        assertThat(await(ranOn.future())).isSameAs(home);
        await(second);
        assertThat(await(first)).isEqualTo("done");
    }

    private static Promise<String> completed() {
        Promise<String> done = Promise.promise();
        done.complete("done");
        return done;
    }

    private static Bulkhead.QueueLimits limits(int maxQueued, Duration timeout) {
        return new Bulkhead.QueueLimits(
                maxQueued, timeout, () -> new ApiException(ErrorCode.UNAVAILABLE, "Too many at once"));
    }
}
