package io.orestes.foreign;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.model.Stamp;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.orestes.coordination.CoordinationConfig;
import io.orestes.coordination.Coordinator;
import io.orestes.coordination.local.LocalGroup;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.store.ChangeFeed;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who is to read the changes of the store, and cannot, leaves that to others, if there are any. */
@Timeout(120)
final class ForeignWritesTest {

    private final Vertx vertx = Vertx.vertx();
    private final LocalGroup group = new LocalGroup(vertx, CoordinationConfig.DEFAULTS);

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    void reading_storeCannotBeReachedFromHere_isLeftToAnother() {
        Feed broken = new Feed();
        Coordinator here = member();
        Coordinator elsewhere = member();
        ForeignWrites reader = reads(here, broken);
        awaitThat(() -> reader.state().role() == ForeignState.Role.READING);
        ForeignWrites other = reads(elsewhere, new Feed());
        assertThat(other.state().role()).isEqualTo(ForeignState.Role.FOLLOWING);

        broken.isBroken = true;

        awaitThat(() -> other.state().role() == ForeignState.Role.READING);
        assertThat(reader.state().role()).isEqualTo(ForeignState.Role.FOLLOWING);
    }

    /** When the other one ends it is its turn again, and by then it can. */
    @Test
    void reading_wasLeftToAnother_comesBackWhenThatOneEnds() {
        Feed broken = new Feed();
        Coordinator here = member();
        Coordinator elsewhere = member();
        ForeignWrites reader = reads(here, broken);
        awaitThat(() -> reader.state().role() == ForeignState.Role.READING);
        ForeignWrites other = reads(elsewhere, new Feed());
        broken.isBroken = true;
        awaitThat(() -> other.state().role() == ForeignState.Role.READING);
        broken.isBroken = false;

        await(other.stop());

        awaitThat(() -> reader.state().role() == ForeignState.Role.READING);
    }

    @Test
    void reading_nobodyElseIsThere_isTriedUntilItSucceeds() {
        Feed broken = new Feed();
        broken.isBroken = true;
        Coordinator alone = member();
        ForeignWrites reader = reads(alone, broken);

        await(vertx.timer(5, TimeUnit.SECONDS));
        assertThat(reader.state().role()).isEqualTo(ForeignState.Role.INTERRUPTED);
        assertThat(await(alone.leader(ForeignWrites.TASK))).isPresent();
        broken.isBroken = false;

        awaitThat(() -> reader.state().role() == ForeignState.Role.READING);
    }

    private Coordinator member() {
        Coordinator server = group.server(lock -> Future.succeededFuture());
        var unused = await(server.join(""));
        return server;
    }

    private ForeignWrites reads(Coordinator coordinator, ChangeFeed feed) {
        ForeignWrites reader = new ForeignWrites(
                vertx,
                feed,
                outcome -> Future.succeededFuture(),
                new KnownStates(),
                bucket -> true,
                bucket -> Future.succeededFuture(),
                new SimpleMeterRegistry());
        reader.start(coordinator);
        return reader;
    }

    /** One in which nothing happens, and which may be out of reach. */
    private final class Feed implements ChangeFeed, ChangeFeed.Reader {

        private volatile boolean isBroken;

        @Override
        public Future<Optional<Place>> kept() {
            return Future.succeededFuture(Optional.empty());
        }

        @Override
        public Future<Void> keep(Place place) {
            return Future.succeededFuture();
        }

        @Override
        public Future<Reader> open(Optional<Place> after) {
            return answer(this);
        }

        @Override
        public Future<Page> next() {
            return vertx.timer(20, TimeUnit.MILLISECONDS)
                    .compose(later -> answer(new Page(List.of(), new Place(new BsonDocument()), true)));
        }

        private <T> Future<T> answer(T answer) {
            return isBroken ? Future.failedFuture("out of reach") : Future.succeededFuture(answer);
        }

        @Override
        public Future<Optional<Sighting>> current(ObjectRef ref) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Future<Optional<StoredObject>> renew(ObjectRef ref, Optional<Stamp> known) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Future<Tombstone> end(ObjectRef ref, Optional<Stamp> known) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
