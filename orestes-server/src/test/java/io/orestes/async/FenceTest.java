package io.orestes.async;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class FenceTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final Vertx vertx = Vertx.vertx();
    private final Fence fence = newFence(LONG);

    private Fence newFence(Duration timeout) {
        return new Fence(vertx, timeout, key -> new ApiException(ErrorCode.UNAVAILABLE, key + " is closed"));
    }

    @AfterEach
    void stopVertx() {
        await(vertx.close());
    }

    @Test
    void read_openKey_readsAtOnce() {
        fence.close(Set.of("other"));

        assertThat(await(fence.read("a", () -> Future.succeededFuture("read")))).isEqualTo("read");
    }

    @Test
    void read_closedKey_waitsForItsOpening() {
        fence.close(Set.of("a", "b"));
        Future<String> read = fence.read("a", () -> Future.succeededFuture("read"));
        fence.open(Set.of("b"), Future.succeededFuture());

        assertThat(read.isComplete()).isFalse();
        fence.open(Set.of("a"), Future.succeededFuture());

        assertThat(await(read)).isEqualTo("read");
    }

    @Test
    void read_closedBeforeItsOutcome_isRepeated() {
        Promise<String> slow = Promise.promise();
        Iterator<Future<String>> outcomes =
                List.of(slow.future(), Future.succeededFuture("later")).iterator();
        Future<String> read = fence.read("a", outcomes::next);

        fence.close(Set.of("a"));
        fence.open(Set.of("a"), Future.succeededFuture());
        slow.complete("earlier");

        assertThat(await(read)).isEqualTo("later");
    }

    @Test
    void read_notOpenedInTime_isRefused() {
        Fence impatient = newFence(Duration.ofMillis(20));
        impatient.close(Set.of("a"));

        ApiException refusal = failureOf(impatient.read("a", () -> Future.succeededFuture("read")));

        assertThat(refusal).hasMessage("a is closed");
    }

    @Test
    void open_afterAFailure_failsWaitingOperationsAndStaysClosed() {
        fence.close(Set.of("a"));
        Future<Void> opening = fence.awaitOpening("a", LONG);

        fence.open(Set.of("a"), Future.failedFuture(new ApiException(ErrorCode.UNAVAILABLE, "broken")));

        assertThat(failureOf(opening)).hasMessage("broken");
        assertThat(fence.isClosed("a")).isTrue();
    }

    @Test
    void close_ofAClosedKey_keepsThoseThatWait() {
        fence.close(Set.of("a"));
        Future<Void> opening = fence.awaitOpening("a", LONG);

        fence.close(Set.of("a", "b"));
        fence.open(Set.of("a"), Future.succeededFuture());

        await(opening);
        assertThat(fence.isClosed("a")).isFalse();
        assertThat(fence.isClosed("b")).isTrue();
    }

    @Test
    void close_ofAnotherKey_doesNotHideThatAKeyWasClosed() {
        Promise<String> slow = Promise.promise();
        Iterator<Future<String>> outcomes =
                List.of(slow.future(), Future.succeededFuture("later")).iterator();
        fence.close(Set.of("a"));
        fence.open(Set.of("a"), Future.succeededFuture());
        Future<String> read = fence.read("a", outcomes::next);

        fence.close(Set.of("b"));
        slow.complete("earlier");

        assertThat(await(read)).isEqualTo("earlier");
    }

    @Test
    void awaitOpening_withoutTimeLeft_isRefusedOnlyWhileClosed() {
        assertThat(fence.awaitOpening("a", Duration.ZERO).succeeded()).isTrue();

        fence.close(Set.of("a"));

        assertThat(failureOf(fence.awaitOpening("a", Duration.ZERO))).hasMessage("a is closed");
    }

    @Test
    void awaitOpening_fromAContext_completesThere() {
        fence.close(Set.of("a"));
        Context home = vertx.getOrCreateContext();
        Promise<Context> completedOn = Promise.promise();
        Promise<Void> waits = Promise.promise();
        home.runOnContext(now -> {
            fence.awaitOpening("a", LONG).onComplete(open -> completedOn.complete(Vertx.currentContext()));
            waits.complete();
        });
        await(waits.future());

        fence.open(Set.of("a"), Future.succeededFuture());

        assertThat(await(completedOn.future())).isSameAs(home);
    }
}
