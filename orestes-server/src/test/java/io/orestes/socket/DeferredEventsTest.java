package io.orestes.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.store.Await;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class DeferredEventsTest {

    private static final Future<Void> ANSWERED = Future.succeededFuture();
    private static final int MANY = 10_000;

    private final Vertx vertx = Vertx.vertx();
    private final Context home = vertx.getOrCreateContext();
    private final DeferredEvents late = new DeferredEvents(vertx, home);
    private final List<Integer> sent = new CopyOnWriteArrayList<>();
    private final Promise<Void> first = Promise.promise();
    private final Promise<Void> second = Promise.promise();

    @AfterEach
    void close() {
        vertx.close().await();
    }

    @Test
    void add_nothingIsLate_isSentAtOnce() {
        atHome(() -> add(ANSWERED, 1));

        assertThat(sent).containsExactly(1);
        assertThat(late.bytes()).isZero();
    }

    /**
     * This happens when a write of this server waits for a departed server, and those of a third go
     * on.
     */
    @Test
    void add_manyBehindALateOne_areSentInOrderOnceItIsAnswered() {
        atHome(() -> {
            add(first.future(), 0);
            IntStream.range(1, MANY).forEach(i -> add(ANSWERED, i));
        });
        assertThat(sent).isEmpty();
        assertThat(late.bytes()).isEqualTo(2L * MANY);

        first.complete();

        Await.awaitThat(() -> sent.size() == MANY);
        assertThat(sent).isSorted();
        assertThat(late.bytes()).isZero();
    }

    @Test
    void add_laterOneIsAnsweredFirst_keepsTheOrder() {
        atHome(() -> {
            add(first.future(), 1);
            add(second.future(), 2);
            add(ANSWERED, 3);
        });

        second.complete();
        atHome(() -> {});
        assertThat(sent).isEmpty();
        first.complete();

        Await.awaitThat(() -> sent.size() == 3);
        assertThat(sent).containsExactly(1, 2, 3);
    }

    /** The events that the first response releases belong to the connection's former state. */
    @Test
    void clear_sendsNothingMore() {
        atHome(() -> {
            add(first.future(), 1);
            late.clear();
            add(second.future(), 2);
        });

        first.complete();
        atHome(() -> {});
        assertThat(sent).isEmpty();
        second.complete();

        Await.awaitThat(() -> sent.size() == 1);
        assertThat(sent).containsExactly(2);
    }

    private void add(Future<Void> answered, int event) {
        late.add(answered, 2, () -> sent.add(event));
    }

    private void atHome(Runnable work) {
        Await.await(Future.<Void>future(done -> home.runOnContext(now -> {
            work.run();
            done.complete();
        })));
    }
}
