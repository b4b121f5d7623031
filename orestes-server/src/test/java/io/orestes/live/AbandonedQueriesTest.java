package io.orestes.live;

import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.auth.token.Caller;
import io.orestes.auth.token.TokenService;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * After a server missed writes, no subscriber may resume from before that, and none receives an
 * error.
 */
final class AbandonedQueriesTest {

    private final LiveQueryFixture scene;
    private final RecordingSubscriber before = new RecordingSubscriber();
    private final RecordingSubscriber after = new RecordingSubscriber();

    AbandonedQueriesTest(@TempDir Path folder) {
        scene = new LiveQueryFixture(
                folder, new TokenService(new byte[32], Duration.ofDays(1), InstantSource.system()));
    }

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void discardAll_subscribers_receiveNothing() {
        Subscription subscription = await(scene.open(Caller.ANONYMOUS, before));
        assertThat(before.await(1)).hasSize(1);

        scene.live.discardAll();

        assertThat(scene.live.size()).isZero();
        scene.close(subscription);
        assertThat(before.messages()).noneMatch(message -> message.startsWith("error"));
    }

    @Test
    void discardAll_ofAClass_leavesThoseOfOthers() {
        Subscription subscription = await(scene.open(Caller.ANONYMOUS, before));
        assertThat(before.await(1)).hasSize(1);

        scene.live.discardAll("Other");
        assertThat(scene.live.size()).isEqualTo(1);
        scene.live.discardAll(LiveQueryFixture.BUCKET);
        assertThat(scene.live.size()).isZero();
        scene.close(subscription);
    }

    @Test
    void discardAll_resumedWithAnEventId_beginsAnew() {
        Subscription subscription = await(scene.open(Caller.ANONYMOUS, before));
        assertThat(before.await(1)).hasSize(1);
        scene.live.discardAll();
        scene.close(subscription);

        Subscription again = await(scene.open(Caller.ANONYMOUS, after, Optional.of(before.last())));

        assertThat(after.await(1)).isEqualTo(List.of("result"));
        scene.close(again);
    }
}
