package io.orestes.store;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Execution of reads and writes of a bucket that is being rewritten. */
final class BucketFenceTest {

    private static final Set<String> ITEMS = Set.of("Item");

    private final Vertx vertx = Vertx.vertx();
    private final BucketFence bucketFence = new BucketFence(vertx, Duration.ofMinutes(1));

    @AfterEach
    void stopVertx() {
        await(vertx.close());
    }

    @Test
    void read_whileClosed_readsWhenItIsOpenAgain() {
        bucketFence.close(ITEMS);
        Future<String> read = bucketFence.read("Item", () -> Future.succeededFuture("new"));

        assertThat(read.isComplete()).isFalse();
        assertThat(await(bucketFence.read("Other", () -> Future.succeededFuture("at once"))))
                .isEqualTo("at once");
        bucketFence.open(ITEMS, Future.succeededFuture());

        assertThat(await(read)).isEqualTo("new");
    }

    @Test
    void read_closedForLong_isRefused() {
        BucketFence impatient = new BucketFence(vertx, Duration.ofMillis(20));
        impatient.close(ITEMS);

        Future<String> read = impatient.read("Item", () -> Future.succeededFuture("new"));

        assertThat(failureOf(read).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        impatient.open(ITEMS, Future.succeededFuture());
        assertThat(await(impatient.read("Item", () -> Future.succeededFuture("new"))))
                .isEqualTo("new");
    }

    /** A read that waited for a thread meanwhile may have found both forms. */
    @Test
    void read_closedBeforeTheReadHasAnOutcome_readsAgain() {
        Promise<String> slow = Promise.promise();
        Iterator<Future<String>> outcomes =
                List.of(slow.future(), Future.succeededFuture("new")).iterator();
        Future<String> read = bucketFence.read("Item", outcomes::next);

        bucketFence.close(ITEMS);
        slow.complete("of both forms");
        assertThat(read.isComplete()).isFalse();
        bucketFence.open(ITEMS, Future.succeededFuture());

        assertThat(await(read)).isEqualTo("new");
    }

    @Test
    void writeWithRetry_whileClosed_writesWhenItIsOpenAgain() {
        bucketFence.close(ITEMS);
        Future<String> write =
                bucketFence.writeWithRetry(Set.of("Other", "Item"), () -> Future.succeededFuture("written"));

        assertThat(write.isComplete()).isFalse();
        assertThat(await(bucketFence.writeWithRetry(Set.of("Other"), () -> Future.succeededFuture("at once"))))
                .isEqualTo("at once");
        bucketFence.open(ITEMS, Future.succeededFuture());

        assertThat(await(write)).isEqualTo("written");
    }

    @Test
    void writeWithRetry_closedForLong_isRefusedHavingDoneNothing() {
        BucketFence impatient = new BucketFence(vertx, Duration.ofMillis(20));
        AtomicInteger attempts = new AtomicInteger();
        impatient.close(ITEMS);

        Future<Integer> write =
                impatient.writeWithRetry(ITEMS, () -> Future.succeededFuture(attempts.incrementAndGet()));

        assertThat(failureOf(write).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        impatient.open(ITEMS, Future.succeededFuture());
        assertThat(attempts).hasValue(0);
    }

    /**
     * Its check is invalid, whether the store receives the write before the rewriting, during it or
     * after it.
     */
    @Test
    void writeWithRetry_closedBetweenCheckAndWrite_repeatsBoth() {
        AtomicInteger attempts = new AtomicInteger();
        Promise<Void> looked = Promise.promise();
        Future<Integer> write = bucketFence.writeWithRetry(ITEMS, () -> {
            int attempt = attempts.incrementAndGet();
            long schemaEpoch = bucketFence.schemaEpoch("Item");
            return (attempt == 1 ? looked.future() : Future.<Void>succeededFuture()).map(now -> {
                bucketFence.requireOpen("Item", schemaEpoch);
                return attempt;
            });
        });

        bucketFence.close(ITEMS);
        bucketFence.open(ITEMS, Future.succeededFuture());
        looked.complete();

        assertThat(await(write)).isEqualTo(2);
    }

    /** The second attempt follows immediately, and pauses of 1 ms to 250 ms lie between others. */
    @Test
    void writeWithRetry_refusedRepeatedly_isRepeatedAfterPausesUntilTheTimeLimit() {
        BucketFence impatient = new BucketFence(vertx, Duration.ofMillis(300));
        AtomicInteger attempts = new AtomicInteger();
        AtomicInteger atOnce = new AtomicInteger();
        Thread caller = Thread.currentThread();
        long begin = System.nanoTime();

        Future<Integer> write = impatient.writeWithRetry(ITEMS, () -> {
            attempts.incrementAndGet();
            atOnce.addAndGet(Thread.currentThread().equals(caller) ? 1 : 0);
            return Future.failedFuture(new ApiException(ErrorCode.UNAVAILABLE, "Others were faster").asRepeatable());
        });

        ApiException refusal = failureOf(write);
        assertThat(refusal.code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(refusal.message()).isEqualTo("Others were faster");
        // timers run on a thread of their own
        assertThat(atOnce).hasValue(2);
        assertThat(attempts).hasValueBetween(3, 12);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(290));
    }

    /** Such a write may have been committed. */
    @Test
    void writeWithRetry_failsForAnythingElse_isNotRepeated() {
        AtomicInteger attempts = new AtomicInteger();

        Future<Integer> write = bucketFence.writeWithRetry(ITEMS, () -> {
            attempts.incrementAndGet();
            return Future.failedFuture(new ApiException(ErrorCode.UNAVAILABLE, "A cache did not confirm"));
        });

        assertThat(failureOf(write).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(attempts).hasValue(1);
    }

    @Test
    void writeWithRetry_rewritingFailed_isRefusedAtOnce() {
        bucketFence.close(ITEMS);
        Future<String> write = bucketFence.writeWithRetry(ITEMS, () -> Future.succeededFuture("written"));

        bucketFence.open(ITEMS, Future.failedFuture(new IllegalStateException("disk full")));

        assertThat(failureOf(write).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    }
}
