package io.orestes.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class LoopTest {

    private static final int MANY = 1_000_000;

    private final AtomicInteger steps = new AtomicInteger();

    @Test
    void steps_areTakenUntilOneSaysThatIsAll() {
        Future<Void> done = Loop.whileTrue(() -> Future.succeededFuture(steps.incrementAndGet() < 3));

        assertThat(done.succeeded()).isTrue();
        assertThat(steps).hasValue(3);
    }

    @Test
    void items_oneFails_thoseAfterItAreLeftOut() {
        List<Integer> seen = new ArrayList<>();

        Future<Void> done = Loop.forEach(List.of(1, 2, 3), item -> {
            seen.add(item);
            return item == 2 ? Future.failedFuture("no") : Future.succeededFuture();
        });

        assertThat(done.failed()).isTrue();
        assertThat(seen).containsExactly(1, 2);
    }

    @Test
    void items_allSucceed_areTakenInOrder() {
        List<Integer> seen = new ArrayList<>();

        Future<Void> done = Loop.forEach(List.of(1, 2, 3), item -> Future.succeededFuture(seen.add(item)));

        assertThat(done.succeeded()).isTrue();
        assertThat(seen).containsExactly(1, 2, 3);
    }

    @Test
    void manySteps_completeAtOnce_doNotNest() {
        Future<Void> done = Loop.whileTrue(() -> Future.succeededFuture(steps.incrementAndGet() < MANY));

        assertThat(done.succeeded()).isTrue();
    }

    @Test
    void manySteps_completeLater_doNotNest() {
        List<Promise<Boolean>> pending = new ArrayList<>();
        Future<Void> done = Loop.whileTrue(() -> later(pending));
        while (!pending.isEmpty()) {
            pending.remove(0).complete(steps.incrementAndGet() < MANY);
        }

        assertThat(done.succeeded()).isTrue();
    }

    @Test
    void memoryOfAStep_hasEnded_isGarbage() {
        List<Promise<Boolean>> pending = new ArrayList<>();
        List<WeakReference<byte[]>> pages = new ArrayList<>();
        Future<Void> done = Loop.whileTrue(() -> {
            byte[] page = new byte[1024];
            pages.add(new WeakReference<>(page));
            return later(pending).map(isMore -> isMore && page.length > 0);
        });
        pending.remove(0).complete(true);
        pending.remove(0).complete(true);
        while (pages.get(0).get() != null || pages.get(1).get() != null) {
            System.gc();
        }

        assertThat(done.isComplete()).isFalse();
    }

    @Test
    void failure_endsIt_withoutAFurtherStep() {
        IllegalStateException failure = new IllegalStateException("broken");
        Future<Void> done = Loop.whileTrue(
                () -> steps.incrementAndGet() == 2 ? Future.failedFuture(failure) : Future.succeededFuture(true));

        assertThat(done.cause()).isSameAs(failure);
        assertThat(steps).hasValue(2);
    }

    @Test
    void exception_thrown_isAFailure() {
        IllegalStateException failure = new IllegalStateException("broken");
        Future<Void> done = Loop.whileTrue(() -> {
            throw failure;
        });

        assertThat(done.cause()).isSameAs(failure);
    }

    private static Future<Boolean> later(List<Promise<Boolean>> pending) {
        Promise<Boolean> step = Promise.promise();
        pending.add(step);
        return step.future();
    }
}
