package io.orestes.async;

import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class SingleFlightTest {

    private final SingleFlight<String, Integer> reads = SingleFlight.trailing();
    private final List<Promise<Integer>> begun = new ArrayList<>();

    private Future<Integer> read(String key) {
        return reads.load(key, at -> {
            begun.add(Promise.promise());
            return begun.get(begun.size() - 1).future();
        });
    }

    @Test
    void read_whileOneIsUnderWay_sharesTheNextThatBeginsWhenItHasEnded() {
        Future<Integer> first = read("a");
        Future<Integer> second = read("a");
        Future<Integer> third = read("a");
        assertThat(begun).hasSize(1);

        begun.get(0).complete(1);
        assertThat(begun).hasSize(2);
        assertThat(second.isComplete()).as("that read began before the request").isFalse();
        Future<Integer> late = read("a");
        begun.get(1).complete(2);
        begun.get(2).complete(3);

        assertThat(List.of(await(first), await(second), await(third), await(late)))
                .containsExactly(1, 2, 2, 3);
        assertThat(begun).hasSize(3);
    }

    @Test
    void read_ofAnotherKey_doesNotWait() {
        Future<Integer> first = read("a");
        Future<Integer> other = read("b");

        begun.get(1).complete(2);

        assertThat(await(other)).isEqualTo(2);
        assertThat(first.isComplete()).isFalse();
    }

    @Test
    void read_afterAFailedOne_isMadeAllTheSame() {
        Future<Integer> failed = read("a");
        Future<Integer> next = read("a");

        begun.get(0).fail("broken");
        begun.get(1).complete(2);

        assertThat(failed.failed()).isTrue();
        assertThat(await(next)).isEqualTo(2);
        assertThat(await(reads.load("a", at -> Future.succeededFuture(3)))).isEqualTo(3);
    }

    @Test
    void read_thatThrows_fails() {
        Future<Integer> thrown = reads.load("a", at -> {
            throw new IllegalStateException("broken");
        });

        assertThat(thrown.failed()).isTrue();
        assertThat(await(reads.load("a", at -> Future.succeededFuture(1)))).isEqualTo(1);
    }

    @Test
    void read_sharedByCallersOfDifferentContexts_completesOnTheirOwn() {
        Vertx vertx = Vertx.vertx();
        Promise<Integer> held = Promise.promise();
        Future<Integer> first = reads.load("a", at -> held.future());
        Context home = vertx.getOrCreateContext();
        Promise<Context> completedOn = Promise.promise();
        Promise<Void> entered = Promise.promise();

        home.runOnContext(there -> {
            reads.load("a", at -> Future.succeededFuture(2))
                    .onComplete(done -> completedOn.complete(Vertx.currentContext()));
            entered.complete();
        });
        await(entered.future());
        held.complete(1);

        assertThat(await(first)).isEqualTo(1);
        assertThat(await(completedOn.future())).isSameAs(home);
        await(vertx.close());
    }

    @Test
    void load_nothingWrittenSinceTheRunningOneBegan_sharesIt() {
        AtomicLong writes = new AtomicLong(7);
        SingleFlight<String, Long> loads = new SingleFlight<>(writes::get);
        Promise<Void> end = Promise.promise();

        Future<Long> first = loads.load("a", at -> end.future().map(at));
        Future<Long> second = loads.load("a", at -> Future.failedFuture("a second execution"));
        writes.incrementAndGet();
        Future<Long> afterTheWrite = loads.load("a", at -> end.future().map(at));
        end.complete();

        assertThat(await(first)).isEqualTo(7);
        assertThat(await(second)).isEqualTo(7);
        assertThat(await(afterTheWrite)).isEqualTo(8);
    }
}
