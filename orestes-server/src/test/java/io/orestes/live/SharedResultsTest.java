package io.orestes.live;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.filter.Filter;
import io.orestes.auth.token.Caller;
import io.orestes.auth.token.TokenService;
import io.orestes.invalidb.MatchQuery;
import io.orestes.invalidb.QueryLease;
import io.orestes.live.event.EventId;
import io.orestes.live.event.EventSelection;
import io.orestes.live.event.LiveEvent;
import io.orestes.live.request.SubscriptionOptions;
import io.orestes.live.request.SubscriptionRequest;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.StoredObject;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Subscribers of one query share its executions and its events without harm to each other. */
final class SharedResultsTest {

    private final LiveQueryFixture scene;

    SharedResultsTest(@TempDir Path folder) {
        scene = new LiveQueryFixture(
                folder, new TokenService(new byte[32], Duration.ofDays(1), InstantSource.system()));
    }

    @AfterEach
    void tearDown() {
        scene.close();
    }

    @Test
    void open_manyTogether_shareOneExecution() {
        scene.write("a");
        scene.held.delay();
        List<RecordingSubscriber> subscribers =
                Stream.generate(RecordingSubscriber::new).limit(200).toList();

        List<Future<Subscription>> opened = subscribers.stream()
                .map(each -> scene.open(Caller.ANONYMOUS, each))
                .toList();
        awaitThat(() -> scene.held.read() > 0);
        scene.held.release();
        awaitAll(opened);

        assertThat(subscribers).allSatisfy(each -> assertThat(each.await(1)).containsExactly("result a"));
        assertThat(scene.held.begun()).isEqualTo(1);
    }

    @Test
    void open_duringTheFirstExecution_showsWhatWasWrittenSinceThatBegan() {
        openDuringExecution(1);
    }

    @Test
    void open_duringALaterExecution_showsWhatWasWrittenSinceThatBegan() {
        await(scene.open(Caller.ANONYMOUS, new RecordingSubscriber()));

        openDuringExecution(2);
    }

    private void openDuringExecution(int number) {
        scene.held.delay();
        Future<Subscription> first = scene.open(Caller.ANONYMOUS, new RecordingSubscriber());
        awaitThat(() -> scene.held.read() == number);

        scene.write("a");
        RecordingSubscriber newcomer = new RecordingSubscriber();
        Future<Subscription> second = scene.open(Caller.ANONYMOUS, newcomer);
        scene.held.release();
        awaitAll(List.of(first, second));

        assertThat(newcomer.await(1)).containsExactly("result a");
        assertThat(scene.held.begun()).isEqualTo(number);
    }

    @Test
    void open_moreWrittenMeanwhileThanIsRetained_readsAgain() {
        await(scene.open(Caller.ANONYMOUS, new RecordingSubscriber()));
        scene.held.delay();
        RecordingSubscriber newcomer = new RecordingSubscriber();
        Future<Subscription> opened = scene.open(Caller.ANONYMOUS, newcomer);
        awaitThat(() -> scene.held.read() == 2);

        IntStream.rangeClosed(0, SmallLiveLimits.RETAINED_EVENTS).forEach(i -> scene.write("k" + i));
        scene.held.release();
        await(opened);

        assertThat(newcomer.await(1).get(0).split(" ")).hasSize(SmallLiveLimits.RETAINED_EVENTS + 2);
        assertThat(scene.held.begun()).isEqualTo(3);
    }

    @Test
    void open_afterTheOthersHaveJoined_readsAnew() {
        await(scene.open(Caller.ANONYMOUS, new RecordingSubscriber()));

        await(scene.open(Caller.ANONYMOUS, new RecordingSubscriber()));

        assertThat(scene.held.begun()).isEqualTo(2);
    }

    @Test
    void open_afterAFailedExecution_readsAnew() {
        scene.held.delay();
        Future<Subscription> first = scene.open(Caller.ANONYMOUS, new RecordingSubscriber());
        awaitThat(() -> scene.held.read() == 1);
        scene.held.fail(new ApiException(ErrorCode.UNAVAILABLE, "busy"));
        awaitAll(List.of(first));
        assertThat(first.failed()).isTrue();

        scene.held.delay();
        scene.held.release();
        RecordingSubscriber second = new RecordingSubscriber();
        await(scene.open(Caller.ANONYMOUS, second));

        assertThat(second.await(1)).containsExactly("result");
    }

    @Test
    void open_whileAnotherHolderOfTheQueryFails_isServedAllTheSame() {
        Promise<List<StoredObject>> tooLarge = Promise.promise();
        Future<QueryLease> cached =
                scene.matching.acquire(MatchQuery.of(LiveQueryFixture.BUCKET, publicOnly()), tooLarge::future);
        RecordingSubscriber subscriber = new RecordingSubscriber();
        Future<Subscription> opened = scene.open(Caller.ANONYMOUS, subscriber);
        awaitThat(() -> scene.live.size() == 1);

        tooLarge.fail("not to be watched");
        awaitAll(List.of(cached, opened));
        scene.write("a");

        assertThat(cached.failed()).isTrue();
        assertThat(subscriber.await(2)).containsExactly("result", "add a");
    }

    @Test
    void match_onWhichOneListenerThrows_reachesTheOthersAndEndsThatOne() {
        Context home = scene.vertx.getOrCreateContext();
        RecordingSubscriber broken = new RecordingSubscriber() {
            @Override
            public void onMatch(LiveEvent event, EventId id, String matchType) {
                throw new IllegalStateException("broken subscriber");
            }
        };
        RecordingSubscriber other = new RecordingSubscriber();
        awaitAll(List.of(
                scene.open(Caller.ANONYMOUS, broken, Optional.empty(), home),
                scene.open(Caller.ANONYMOUS, other, Optional.empty(), home)));

        scene.write("a");
        scene.write("b");

        assertThat(other.await(3)).containsExactly("result", "add a", "add b");
        assertThat(broken.await(2)).containsExactly("result", "error 500");
    }

    @Test
    void failAll_whileASubscriberIsAboutToJoin_endsThatToo() {
        scene.held.delay();
        RecordingSubscriber subscriber = new RecordingSubscriber();
        Future<Subscription> opened = scene.open(Caller.ANONYMOUS, subscriber);
        awaitThat(() -> scene.held.read() == 1);

        scene.live.failAll(LiveQueryFixture.BUCKET, new ApiException(ErrorCode.PERMISSION_DENIED, "closed"));
        scene.held.release();
        awaitAll(List.of(opened));
        scene.write("a");

        assertThat(subscriber.await(1)).containsExactly("error 466");
    }

    /** All of them reconnect before their result is complete. */
    @Test
    void resume_fromOneOfTooManyUnconfirmedResults_startsAnewAndFromTheLatestGoesOn() {
        List<EventId> places = new ArrayList<>();
        for (int i = 0; i < 65; i++) {
            RecordingSubscriber subscriber = new RecordingSubscriber();
            Subscription subscription = await(scene.open(Caller.ANONYMOUS, subscriber));
            places.add(subscriber.last());
            scene.close(subscription);
        }
        RecordingSubscriber latest = new RecordingSubscriber();
        RecordingSubscriber earliest = new RecordingSubscriber();

        awaitAll(List.of(
                scene.open(Caller.ANONYMOUS, latest, Optional.of(places.get(64))),
                scene.open(Caller.ANONYMOUS, earliest, Optional.of(places.get(0)))));
        scene.write("a");

        assertThat(latest.await(1)).containsExactly("add a");
        assertThat(earliest.await(2)).containsExactly("result", "add a");
    }

    private static Filter publicOnly() {
        return new SubscriptionRequest(
                        Caller.ANONYMOUS,
                        LiveQueryFixture.BUCKET,
                        Filter.ALL,
                        null,
                        null,
                        new SubscriptionOptions(true, EventSelection.of(List.of(), List.of()), null))
                .readable();
    }
}
