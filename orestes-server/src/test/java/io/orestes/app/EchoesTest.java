package io.orestes.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orestes.store.Await;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class EchoesTest {

    private static final List<Duration> DELAYS = List.of(Duration.ofMillis(1), Duration.ofMillis(20));

    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger done = new AtomicInteger();

    @AfterEach
    void close() {
        vertx.close().await();
    }

    @Test
    void follow_isDoneAtOnceAndAfterEachDelay() {
        new Echoes(vertx, List.of(Duration.ofDays(1))).follow(done::incrementAndGet);
        assertThat(done).hasValue(1);

        new Echoes(vertx, DELAYS).follow(done::incrementAndGet);
        Await.awaitThat(() -> done.get() == 4);
    }

    /** As of a server that comes and goes all the time. */
    @Test
    void follow_again_takesThePlaceOfWhatWasStillToCome() {
        Echoes echoes = new Echoes(vertx, List.of(Duration.ofMillis(300)));
        for (int i = 0; i < 100; i++) {
            echoes.follow(done::incrementAndGet);
        }

        Await.awaitThat(() -> done.get() > 100);
        // those of the others would come with it
        Await.await(vertx.timer(300, TimeUnit.MILLISECONDS));
        assertThat(done.get()).isLessThan(150);
    }

    @Test
    void follow_onceItFails_isDoneAgain() {
        assertThatThrownBy(() -> new Echoes(vertx, DELAYS).follow(() -> {
                    done.incrementAndGet();
                    throw new IllegalStateException("not this time");
                }))
                .hasMessage("not this time");
        Await.awaitThat(() -> done.get() == 3);
    }
}
