package io.orestes.changefeed;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.model.VersionStamp;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.orestes.coordination.CoordinationTimeouts;
import io.orestes.coordination.Coordinator;
import io.orestes.coordination.local.LocalGroup;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.model.WriteOutcome;
import io.orestes.store.ChangeFeed;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Terms of the leader that reads the change feed: one that cannot read leaves the task to other
 * servers, if there are any, and each saves its first position before it reads.
 */
@Timeout(120)
final class ChangeFeedConsumerTest {

    private final Vertx vertx = Vertx.vertx();
    private final LocalGroup group = new LocalGroup(vertx, CoordinationTimeouts.DEFAULTS);

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    void reading_storeCannotBeReachedFromHere_isLeftToAnother() {
        IdleFeed broken = new IdleFeed();
        Coordinator here = member();
        Coordinator elsewhere = member();
        ChangeFeedConsumer reader = reads(here, broken);
        awaitThat(() -> reader.state().role() == ChangeFeedConsumerStatus.ConsumerRole.READING);
        ChangeFeedConsumer other = reads(elsewhere, new IdleFeed());
        assertThat(other.state().role()).isEqualTo(ChangeFeedConsumerStatus.ConsumerRole.FOLLOWING);

        broken.isBroken = true;

        awaitThat(() -> other.state().role() == ChangeFeedConsumerStatus.ConsumerRole.READING);
        assertThat(reader.state().role()).isEqualTo(ChangeFeedConsumerStatus.ConsumerRole.FOLLOWING);
    }

    /** The task returns when the other server stops; by then the store is reachable. */
    @Test
    void reading_wasLeftToAnother_comesBackWhenThatOneEnds() {
        IdleFeed broken = new IdleFeed();
        Coordinator here = member();
        Coordinator elsewhere = member();
        ChangeFeedConsumer reader = reads(here, broken);
        awaitThat(() -> reader.state().role() == ChangeFeedConsumerStatus.ConsumerRole.READING);
        ChangeFeedConsumer other = reads(elsewhere, new IdleFeed());
        broken.isBroken = true;
        awaitThat(() -> other.state().role() == ChangeFeedConsumerStatus.ConsumerRole.READING);
        broken.isBroken = false;

        await(other.stop());

        awaitThat(() -> reader.state().role() == ChangeFeedConsumerStatus.ConsumerRole.READING);
    }

    @Test
    void reading_noOtherServer_isTriedUntilItSucceeds() {
        IdleFeed broken = new IdleFeed();
        broken.isBroken = true;
        Coordinator alone = member();
        ChangeFeedConsumer reader = reads(alone, broken);

        await(vertx.timer(5, TimeUnit.SECONDS));
        assertThat(reader.state().role()).isEqualTo(ChangeFeedConsumerStatus.ConsumerRole.INTERRUPTED);
        assertThat(await(alone.leader(ChangeFeedConsumer.TASK))).isPresent();
        broken.isBroken = false;

        awaitThat(() -> reader.state().role() == ChangeFeedConsumerStatus.ConsumerRole.READING);
    }

    /** A successor without a position would have to drop all caches again. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void reading_noPositionIsSaved_savesTheFirstOneBeforeAnyPage(int failedSaves) {
        IdleFeed feed = new IdleFeed();
        feed.hasPages = false;
        feed.failedSaves.set(failedSaves);
        List<String> steps = new CopyOnWriteArrayList<>();
        ChangeFeedHandler handler = new IgnoringHandler() {
            @Override
            public Future<Void> invalidate(String bucket) {
                assertThat(feed.saved).isEmpty();
                steps.add("invalidate");
                return Future.succeededFuture();
            }
        };

        reads(member(), feed, handler);

        awaitThat(() -> feed.saved.equals(List.of(IdleFeed.BEGIN)));
        assertThat(steps).containsExactly("invalidate");
    }

    private Coordinator member() {
        Coordinator server = group.server(lock -> Future.succeededFuture());
        var unused = await(server.join(""));
        return server;
    }

    private ChangeFeedConsumer reads(Coordinator coordinator, ChangeFeed feed) {
        return reads(coordinator, feed, new IgnoringHandler());
    }

    private ChangeFeedConsumer reads(Coordinator coordinator, ChangeFeed feed, ChangeFeedHandler handler) {
        ChangeFeedConsumer reader =
                new ChangeFeedConsumer(vertx, feed, handler, new RecentWrites(), new SimpleMeterRegistry());
        reader.start(coordinator);
        return reader;
    }

    /** A feed without events, which can be unreachable. */
    private final class IdleFeed implements ChangeFeed, ChangeFeed.ChangeFeedReader {

        private static final FeedPosition BEGIN = new FeedPosition(new BsonDocument());

        private final List<FeedPosition> saved = new CopyOnWriteArrayList<>();
        private volatile boolean isBroken;
        private volatile boolean hasPages = true;
        private final AtomicInteger failedSaves = new AtomicInteger();

        @Override
        public Future<Optional<FeedPosition>> savedPosition() {
            return Future.succeededFuture(Optional.empty());
        }

        @Override
        public Future<Void> savePosition(FeedPosition reached) {
            if (failedSaves.getAndDecrement() > 0) {
                return Future.failedFuture("out of reach");
            }
            saved.add(reached);
            return Future.succeededFuture();
        }

        @Override
        public Future<ChangeFeedReader> open() {
            return answer(this);
        }

        @Override
        public Future<ChangeFeedReader> open(FeedPosition after) {
            return answer(this);
        }

        @Override
        public Future<ChangePage> next() {
            return hasPages
                    ? vertx.timer(20, TimeUnit.MILLISECONDS)
                            .compose(later -> answer(new ChangePage(List.of(), BEGIN, true)))
                    : Promise.<ChangePage>promise().future();
        }

        @Override
        public FeedPosition position() {
            return BEGIN;
        }

        private <T> Future<T> answer(T answer) {
            return isBroken ? Future.failedFuture("out of reach") : Future.succeededFuture(answer);
        }

        @Override
        public Future<Optional<ObservedState>> current(ObjectRef ref) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Future<Optional<StoredObject>> incrementVersion(ObjectRef ref, @Nullable VersionStamp known) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Future<Tombstone> recordDeletion(ObjectRef ref, @Nullable VersionStamp known) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    /** A handler that acknowledges everything. */
    private static class IgnoringHandler implements ChangeFeedHandler {

        @Override
        public boolean isClass(String bucket) {
            return true;
        }

        @Override
        public Future<Void> publish(WriteOutcome outcome) {
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> invalidate(String bucket) {
            return Future.succeededFuture();
        }
    }
}
