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
        Bulkhead bulkhead = new Bulkhead(vertx, 2, limits(10, LONG));
        Promise<String> a = Promise.promise();
        Promise<String> b = Promise.promise();
        Promise<String> c = Promise.promise();
        Future<String> first = bulkhead.run(() -> work("a", a));
        Future<String> second = bulkhead.run(() -> work("b", b));
        Future<String> third = bulkhead.run(() -> work("c", c));
        Future<String> fourth = bulkhead.run(() -> work("d", Promise.promise()));
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
    void run_operationThatFailsOrThrows_releasesItsPermit() {
        Bulkhead bulkhead = new Bulkhead(vertx, 1, limits(0, LONG));

        assertThat(bulkhead.run(() -> Future.failedFuture("no")).failed()).isTrue();
        assertThat(bulkhead.run(() -> {
                            throw new IllegalStateException("no");
                        })
                        .failed())
                .isTrue();

        assertThat(await(bulkhead.run(() -> Future.succeededFuture("yes")))).isEqualTo("yes");
    }

    @Test
    void run_whileTooManyWait_isRefused() {
        Bulkhead bulkhead = new Bulkhead(vertx, 1, limits(1, LONG));
        var first = bulkhead.run(() -> work("a", Promise.promise()));
        var second = bulkhead.run(() -> work("b", Promise.promise()));

        Future<String> third = bulkhead.run(() -> work("c", Promise.promise()));

        assertThat(failureOf(third).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(first.isComplete() || second.isComplete()).isFalse();
    }

    @Test
    void run_whoseTurnDoesNotCome_isRefusedAndTakesNone() {
        Bulkhead bulkhead = new Bulkhead(vertx, 1, limits(10, Duration.ofMillis(1)));
        Promise<String> a = Promise.promise();
        Future<String> first = bulkhead.run(() -> work("a", a));

        Future<String> second = bulkhead.run(() -> work("b", Promise.promise()));

        assertThat(failureOf(second).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        a.complete("done");
        assertThat(await(first)).isEqualTo("done");
        assertThat(await(bulkhead.run(() -> Future.succeededFuture("next")))).isEqualTo("next");
        assertThat(begun).containsExactly("a");
    }

    private Future<String> work(String name, Promise<String> end) {
        begun.add(name);
        return end.future();
    }

    @Test
    void run_queueWithoutLimits_runsAllInOrder() {
        Bulkhead bulkhead = new Bulkhead(vertx, 1);
        Promise<String> a = Promise.promise();
        List<Future<String>> all = new ArrayList<>(List.of(bulkhead.run(() -> work("a", a))));
        for (int i = 0; i < 100; i++) {
            String name = "b" + i;
            all.add(bulkhead.run(() -> work(name, completed())));
        }

        a.complete("done");

        assertThat(await(Future.all(all)).<String>list()).containsOnly("done");
        assertThat(begun).hasSize(101).startsWith("a", "b0", "b1");
    }

    @Test
    void run_queued_runsOnTheContextOfItsCaller() {
        Bulkhead bulkhead = new Bulkhead(vertx, 1);
        Promise<String> a = Promise.promise();
        var first = bulkhead.run(() -> work("a", a));
        Context home = vertx.getOrCreateContext();
        Promise<Context> ranOn = Promise.promise();
        Promise<Future<Void>> queued = Promise.promise();

        home.runOnContext(there -> queued.complete(bulkhead.run(() -> {
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

    /** So a caller can end what the operation replaces before the next one begins. */
    @Test
    void run_operationWithAnOutcome_isHandledBeforeTheNextBegins() {
        Bulkhead bulkhead = new Bulkhead(vertx, 1);
        List<String> order = new CopyOnWriteArrayList<>();
        Promise<String> a = Promise.promise();
        Future<String> first = bulkhead.run(() -> work("a", a)).onSuccess(done -> order.add("a is handled"));
        Future<String> second = bulkhead.run(() -> {
            order.add("b begins");
            return Future.succeededFuture("b");
        });

        a.complete("done");

        assertThat(await(Future.all(first, second)).succeeded()).isTrue();
        assertThat(order).containsExactly("a is handled", "b begins");
    }
}
