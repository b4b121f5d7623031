package io.orestes.live.execution;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class AsyncSemaphoreTest {

    private final Vertx vertx = Vertx.vertx();
    private final Context home = vertx.getOrCreateContext();
    private final AsyncSemaphore asyncSemaphore = new AsyncSemaphore(2);
    private final List<Promise<Integer>> begun = new CopyOnWriteArrayList<>();

    @AfterEach
    void tearDown() {
        await(vertx.close());
    }

    @Test
    void run_moreThanMayRun_beginInOrderWhenOthersAreDone() {
        List<Future<Integer>> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            all.add(asyncSemaphore.run(home, this::begin));
        }
        awaitThat(() -> begun.size() == 2);

        begun.get(1).complete(7);

        awaitThat(() -> begun.size() == 3);
        assertThat(await(all.get(1))).isEqualTo(7);
        assertThat(all.get(0).isComplete()).isFalse();
    }

    @Test
    void run_workFails_theNextBeginsAllTheSame() {
        Future<Integer> thrown = asyncSemaphore.run(home, () -> {
            throw new IllegalStateException("broken");
        });
        Future<Integer> failed = asyncSemaphore.run(home, () -> Future.failedFuture("no"));

        List<Future<Integer>> others =
                List.of(asyncSemaphore.run(home, this::begin), asyncSemaphore.run(home, this::begin));

        awaitThat(() -> begun.size() == others.size());
        assertThat(thrown.failed()).isTrue();
        assertThat(failed.failed()).isTrue();
    }

    private Future<Integer> begin() {
        Promise<Integer> work = Promise.promise();
        begun.add(work);
        return work.future();
    }
}
