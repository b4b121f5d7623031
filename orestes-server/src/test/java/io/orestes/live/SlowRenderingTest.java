package io.orestes.live;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.aggregation.AggregateSpec;
import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import io.invalidb.sorting.WindowSpec;
import io.orestes.auth.token.Caller;
import io.orestes.auth.token.TokenService;
import io.orestes.live.event.EventId;
import io.orestes.live.event.EventSelection;
import io.orestes.live.event.LiveEvent;
import io.orestes.live.request.SubscriptionOptions;
import io.orestes.live.request.SubscriptionRequest;
import io.orestes.model.ApiException;
import io.orestes.model.StoredObject;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The first message to a subscriber may take any time to render: no write waits for it, and events
 * come after it.
 */
final class SlowRenderingTest {

    private static final WindowSpec WINDOW = new WindowSpec(SortOrder.parse(BsonDocument.parse("{n: 1}")), 0, 10);

    private static final AggregateSpec COUNT = AggregateSpec.parse(BsonDocument.parse("{_id: null, n: {$sum: 1}}"));

    private final LiveQueryFixture scene;

    /** Vert.x instance whose event loops serve slow subscribers only. */
    private final Vertx elsewhere = Vertx.vertx();

    private final Context home = elsewhere.getOrCreateContext();
    private final SlowSubscriber slow = new SlowSubscriber();

    SlowRenderingTest(@TempDir Path folder) {
        scene = new LiveQueryFixture(
                folder, new TokenService(new byte[32], Duration.ofDays(1), InstantSource.system()));
    }

    @AfterEach
    void tearDown() {
        slow.goesOn.countDown();
        scene.close();
        await(elsewhere.close());
    }

    @Test
    void publish_resultIsBeingRendered_doesNotWait() {
        assertThat(toldAroundAWrite(Optional.empty(), Optional.empty())).containsExactly("result a", "add b");
    }

    @Test
    void publish_windowIsBeingRendered_doesNotWait() {
        assertThat(toldAroundAWrite(Optional.of(WINDOW), Optional.empty())).containsExactly("result a", "add b");
    }

    @Test
    void publish_missedEventsAreBeingRendered_doesNotWait() {
        RecordingSubscriber early = new RecordingSubscriber();
        Subscription gone =
                await(scene.open(request(Optional.empty(), Optional.empty(), Optional.empty()), early, home));
        scene.close(gone);
        scene.write("missed");

        assertThat(toldAroundAWrite(Optional.empty(), Optional.of(early.last())))
                .containsExactly("add missed", "add a", "add b");
    }

    @Test
    void publish_rowsAreBeingRendered_doesNotWait() {
        SubscriptionRequest count = request(Optional.empty(), Optional.of(COUNT), Optional.empty());

        assertThat(toldAroundAWrite(count, "change b")).containsExactly("rows [{\"_id\":null,\"n\":1}]", "change b");
    }

    private List<String> toldAroundAWrite(Optional<WindowSpec> window, Optional<EventId> resumeAfter) {
        return toldAroundAWrite(request(window, Optional.empty(), resumeAfter), "add b");
    }

    private List<String> toldAroundAWrite(SubscriptionRequest request, String last) {
        scene.write("a");
        var opened = scene.open(request, slow, home);
        awaitThat(slow::isRendering);
        scene.write("b");
        slow.goesOn.countDown();
        await(opened);
        awaitThat(() -> slow.recorder.messages().contains(last));
        return slow.recorder.messages();
    }

    private static SubscriptionRequest request(
            Optional<WindowSpec> window, Optional<AggregateSpec> aggregate, Optional<EventId> resumeAfter) {
        return new SubscriptionRequest(
                Caller.ANONYMOUS,
                LiveQueryFixture.BUCKET,
                Filter.ALL,
                window.orElse(null),
                aggregate.orElse(null),
                new SubscriptionOptions(true, EventSelection.of(List.of(), List.of()), resumeAfter.orElse(null)));
    }

    /** A subscriber that renders nothing before the test releases it. */
    private static final class SlowSubscriber implements SubscriptionListener {
        private final RecordingSubscriber recorder = new RecordingSubscriber();
        private final CountDownLatch begins = new CountDownLatch(1);
        private final CountDownLatch goesOn = new CountDownLatch(1);

        private boolean isRendering() {
            return begins.getCount() == 0;
        }

        private void render() {
            begins.countDown();
            try {
                assertThat(goesOn.await(40, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void onResult(EventId id, List<StoredObject> result) {
            render();
            recorder.onResult(id, result);
        }

        @Override
        public void onRows(EventId id, Buffer rows) {
            render();
            recorder.onRows(id, rows);
        }

        @Override
        public void onReady(EventId id) {
            recorder.onReady(id);
        }

        @Override
        public void onMatch(LiveEvent event, EventId id, String matchType) {
            render();
            recorder.onMatch(event, id, matchType);
        }

        @Override
        public void onProgress(EventId id) {
            recorder.onProgress(id);
        }

        @Override
        public void onError(ApiException failure) {
            recorder.onError(failure);
        }
    }
}
