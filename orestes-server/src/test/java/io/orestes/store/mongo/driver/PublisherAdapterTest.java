package io.orestes.store.mongo.driver;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orestes.model.ErrorCode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Conversion of publishers to futures, also of publishers that break the rules. */
final class PublisherAdapterTest {

    private static final int PAGE_SIZE = 3;

    private final Vertx vertx = Vertx.vertx();
    private final Context home = vertx.getOrCreateContext();
    private final PublisherAdapter patient = new PublisherAdapter(vertx, home, Duration.ofSeconds(20));
    private final PublisherAdapter impatient = new PublisherAdapter(vertx, home, Duration.ofMillis(200));
    private final ManualPublisher publisher = new ManualPublisher();
    private final List<List<Integer>> pages = new ArrayList<>();

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    void first_anItem_isItAndNoMoreIsAskedFor() {
        Future<Integer> first = atHome(() -> patient.first(publisher)).map(found -> found.orElseThrow());
        eventually(() -> publisher.demand() == 1);
        publisher.publish(1);

        assertThat(await(first)).isZero();
        eventually(publisher::isCancelled);
        assertThat(publisher.largestDemand()).isEqualTo(1);
    }

    @Test
    void first_endWithoutAnItem_isEmpty() {
        var first = atHome(() -> patient.first(publisher));
        eventually(() -> publisher.demand() == 1);
        publisher.complete();

        assertThat(await(first)).isEmpty();
    }

    @Test
    void first_publisherNeverSignals_failsWithinItsTimeAndLeaves() {
        var first = atHome(() -> impatient.first(publisher));

        assertThat(failureOf(first).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        eventually(publisher::isCancelled);
    }

    /** The driver may do so when it cannot decode a response. */
    @Test
    void first_publisherDoesNotEvenTakeTheSubscriber_failsWithinItsTime() {
        assertThat(failureOf(atHome(() -> impatient.first(subscriber -> {}))).code())
                .isEqualTo(ErrorCode.UNAVAILABLE);
    }

    @Test
    void each_silenceAfterSomePages_failsAfterThatTimeAndLeaves() {
        Future<Void> read = each(impatient, page -> Future.succeededFuture(true));
        eventually(() -> publisher.demand() == PAGE_SIZE);
        publisher.publish(PAGE_SIZE);

        assertThat(failureOf(read).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        eventually(publisher::isCancelled);
        assertThat(pages).containsExactly(List.of(0, 1, 2));
    }

    /** The time that the action takes does not count as the publisher's. */
    @Test
    void each_actionTakesLongerThanThePublisherMay_isNoFailure() {
        Future<Void> read =
                each(impatient, page -> vertx.timer(500, TimeUnit.MILLISECONDS).map(true));
        eventually(() -> publisher.demand() == PAGE_SIZE);
        publisher.publish(PAGE_SIZE);
        eventually(() -> publisher.demand() == PAGE_SIZE);
        publisher.complete();

        assertThat(await(read)).isNull();
    }

    @Test
    void each_actionIsSlow_neverAsksForMoreThanAPage() {
        Deque<Promise<Boolean>> actions = new ArrayDeque<>();
        Future<Void> read = each(patient, page -> {
            Promise<Boolean> dealt = Promise.promise();
            synchronized (actions) {
                actions.add(dealt);
            }
            return dealt.future();
        });
        for (int round = 0; round < 4; round++) {
            eventually(() -> publisher.demand() == PAGE_SIZE);
            publisher.publish(PAGE_SIZE);
            eventually(() -> {
                synchronized (actions) {
                    return !actions.isEmpty();
                }
            });
            await(vertx.timer(20, TimeUnit.MILLISECONDS));
            assertThat(publisher.demand())
                    .as("requested before the page is processed")
                    .isZero();
            synchronized (actions) {
                actions.remove().complete(true);
            }
        }
        eventually(() -> publisher.demand() == PAGE_SIZE);
        publisher.complete();

        assertThat(await(read)).isNull();
        assertThat(publisher.largestDemand()).isEqualTo(PAGE_SIZE);
        assertThat(pages).hasSize(4);
    }

    @Test
    void each_actionWantsNoMore_endsThereAndLeaves() {
        Future<Void> read = each(patient, page -> Future.succeededFuture(page.get(0) == 0));
        eventually(() -> publisher.demand() == PAGE_SIZE);
        publisher.publish(PAGE_SIZE);
        eventually(() -> publisher.demand() == PAGE_SIZE);
        publisher.publish(PAGE_SIZE);

        assertThat(await(read)).isNull();
        eventually(publisher::isCancelled);
        assertThat(publisher.demand()).isZero();
        assertThat(pages).containsExactly(List.of(0, 1, 2), List.of(3, 4, 5));
    }

    @Test
    void each_actionFailsOrThrows_failsSoAndLeaves() {
        IllegalStateException failure = new IllegalStateException("enough");
        Future<Void> failed = each(patient, page -> Future.failedFuture(failure));
        eventually(() -> publisher.demand() == PAGE_SIZE);
        publisher.publish(PAGE_SIZE);
        assertThatThrownBy(() -> await(failed)).isSameAs(failure);
        eventually(publisher::isCancelled);

        ManualPublisher other = new ManualPublisher();
        Future<Void> threw = atHome(() -> patient.each(other, PAGE_SIZE, page -> {
            throw failure;
        }));
        eventually(() -> other.demand() == PAGE_SIZE);
        other.publish(2);
        other.complete();
        assertThatThrownBy(() -> await(threw)).isSameAs(failure);
    }

    @Test
    void each_publisherFailsInTheMiddleOfAPage_failsSo() {
        IllegalStateException failure = new IllegalStateException("connection lost");
        Future<Void> read = each(patient, page -> Future.succeededFuture(true));
        eventually(() -> publisher.demand() == PAGE_SIZE);
        publisher.publish(PAGE_SIZE);
        eventually(() -> publisher.demand() == PAGE_SIZE);
        publisher.publish(1);
        publisher.fail(failure);

        assertThatThrownBy(() -> await(read)).isSameAs(failure);
        assertThat(pages).containsExactly(List.of(0, 1, 2));
    }

    /** The end comes while the last page is processed, and is not reported before that is done. */
    @Test
    void each_endRightBehindAFullPage_waitsForThatPage() {
        Promise<Boolean> dealt = Promise.promise();
        Future<Void> read = each(patient, page -> dealt.future());
        eventually(() -> publisher.demand() == PAGE_SIZE);
        publisher.publish(PAGE_SIZE);
        publisher.complete();
        await(vertx.timer(50, TimeUnit.MILLISECONDS));
        assertThat(read.isComplete()).isFalse();

        dealt.complete(true);

        assertThat(await(read)).isNull();
        assertThat(pages).containsExactly(List.of(0, 1, 2));
    }

    @Test
    void all_someMoreThanPages_areInOrderAndCompleteAtHome() {
        Promise<Context> where = Promise.promise();
        Future<List<Integer>> all = atHome(() -> {
            Future<List<Integer>> read = patient.all(publisher, PAGE_SIZE);
            read.onComplete(done -> where.complete(Vertx.currentContext()));
            return read;
        });
        for (int page = 0; page < 3; page++) {
            eventually(() -> publisher.demand() == PAGE_SIZE);
            publisher.publish(PAGE_SIZE);
        }
        eventually(() -> publisher.demand() == PAGE_SIZE);
        publisher.publish(1);
        publisher.complete();

        assertThat(await(all)).isEqualTo(IntStream.range(0, 10).boxed().toList());
        assertThat(await(where.future())).isSameAs(home);
    }

    /** A publisher of large items retains at most a page of them and one more. */
    @Test
    void each_pagesBySize_endWhereTheyAreFullAndAskForOneItemAtATime() {
        Future<Void> read = atHome(() -> patient.each(
                publisher, PublisherAdapter.PageLimits.<Integer>bySize(PAGE_SIZE, 7, item -> item), (page, bytes) -> {
                    pages.add(List.copyOf(page));
                    assertThat(bytes)
                            .isEqualTo(page.stream().mapToInt(item -> item).sum());
                    return Future.succeededFuture(true);
                }));
        for (int i = 0; i < 7; i++) {
            eventually(() -> publisher.demand() == 1);
            publisher.publish(1);
        }
        eventually(() -> publisher.demand() == 1);
        publisher.complete();

        assertThat(await(read)).isNull();
        assertThat(publisher.largestDemand()).isEqualTo(1);
        assertThat(pages).containsExactly(List.of(0, 1, 2), List.of(3, 4), List.of(5, 6));
    }

    private interface Action {
        Future<Boolean> on(List<Integer> page);
    }

    private Future<Void> each(PublisherAdapter publisherAdapter, Action action) {
        return atHome(() -> publisherAdapter.each(publisher, PAGE_SIZE, page -> {
            pages.add(List.copyOf(page));
            return action.on(page);
        }));
    }

    private <T> Future<T> atHome(Supplier<Future<T>> work) {
        Promise<T> done = Promise.promise();
        home.runOnContext(now -> work.get().onComplete(done));
        return done.future();
    }

    private static void eventually(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("nanoseconds beyond 20 s").isNegative();
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
        }
    }
}
