package io.orestes.cluster;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.coordination.GroupLocks;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Principal;
import io.orestes.model.WriteOutcome;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.change.ClassDataHandler;
import io.orestes.schema.change.SchemaCoordination;
import io.orestes.store.DocumentRewrite;
import io.orestes.store.ForwardingStore;
import io.orestes.store.ObjectStore;
import io.orestes.store.SharedStore;
import io.orestes.store.embedded.EmbeddedObjectStore;
import io.orestes.store.embedded.database.EmbeddedStoreConfig;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that pauses classes at the request of other servers. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class SchemaFollowerTest {

    private final Vertx vertx = Vertx.vertx();
    private final PauseRecorder objects = new PauseRecorder();
    private ObjectStore store;
    private SchemaRegistry changer;
    private SchemaFollower shared;
    private SchemaRegistry here;
    private volatile boolean fails;
    /** True if locks are those of the pausing server, false if those of the changing one. */
    private volatile boolean isLooking;

    @BeforeEach
    void open(@TempDir Path folder) {
        store = EmbeddedObjectStore.open(vertx, EmbeddedStoreConfig.at(folder));
        changer = open(new FailingStore());
        await(changer.merge(
                BsonDocument.parse("{'class': '/db/A', 'fields': {'n': {'type': '/db/Integer'}}}"), Principal.SERVER));
        here = open(store);
        shared = new SchemaFollower(vertx, here, objects);
        await(shared.initialise(false));
    }

    @AfterEach
    void close() {
        await(store.close());
        await(vertx.close());
    }

    @Test
    void resume_classIsRemoved_goesOnByTheNewSchema() {
        await(shared.pause("one", Set.of("A")));
        assertThat(objects.paused()).containsExactly("A");
        await(changer.delete("A", Principal.SERVER));

        await(shared.resume("one"));

        assertThat(objects.paused()).isEmpty();
        assertThat(objects.dropped).containsExactly("A");
        assertThat(here.current().find("A")).isEmpty();
    }

    @Test
    void resume_theChangeIsHalfDone_waitsForItsEnd() {
        await(shared.pause("one", Set.of("A")));
        fails = true;
        assertThat(failureOf(changer.merge(rename(), Principal.SERVER))).isNotNull();
        Future<Void> resumed = shared.resume("one");

        fails = false;
        await(changer.recover());

        await(resumed);
        assertThat(objects.paused()).isEmpty();
        assertThat(here.current().get("A").ownField("m")).isPresent();
    }

    /** The server that requested the pause has departed, so no other one ends it. */
    @Test
    void pause_isNeverEnded_finishesTheChangeByItself() {
        fails = true;
        await(shared.pause("one", Set.of("A")));
        await(changer.merge(rename(), Principal.SERVER).otherwiseEmpty());
        fails = false;
        isLooking = true;

        until(() -> objects.paused().isEmpty());

        assertThat(here.current().get("A").ownField("m")).isPresent();
    }

    @Test
    void resume_ofAnEarlierLock_doesNotEndTheNextPause() {
        await(shared.pause("one", Set.of("A")));
        await(shared.pause("two", Set.of("A", "User")));

        await(shared.resume("one"));
        assertThat(objects.paused()).containsExactlyInAnyOrder("A", "User");

        await(shared.resume("two"));
        assertThat(objects.paused()).isEmpty();
    }

    /** A safe change of a third server says nothing about the server that rewrites the objects. */
    @Test
    void refresh_whilePaused_goesOnPausing() {
        await(shared.pause("one", Set.of("A")));
        await(changer.merge(BsonDocument.parse("{'class': '/db/B'}"), Principal.SERVER));

        await(shared.refresh());

        assertThat(here.current().find("B")).isPresent();
        assertThat(objects.paused()).containsExactly("A");
    }

    @Test
    void resume_aPauseArrivesMeanwhile_isNotUndone() {
        await(shared.pause("one", Set.of("A")));
        Promise<Void> slow = Promise.promise();
        objects.opening = slow.future();
        Future<Void> resumed = shared.resume("one");
        Future<Void> paused = shared.pause("two", Set.of("A"));
        slow.complete();

        await(resumed);
        await(paused);

        assertThat(objects.paused()).containsExactly("A");
        await(shared.resume("two"));
        assertThat(objects.paused()).isEmpty();
    }

    /**
     * The server was evicted and has entered again. Its current pause belongs to another server's
     * lock.
     */
    @Test
    void resumeAll_ofALostLock_opensNothing() {
        AtomicBoolean isOver = new AtomicBoolean();
        GroupSchemaCoordination schemas = new GroupSchemaCoordination(
                () -> {
                    throw new AssertionError("Publishes to the others");
                },
                () -> shared,
                (name, modes) -> Future.succeededFuture(new MembershipLock(isOver)));
        SchemaCoordination.SchemaLock turn = await(schemas.acquireLock());
        Future<Void> paused = shared.pause("one", Set.of("A"));
        isOver.set(true);

        assertThat(failureOf(turn.resumeAll()).code()).isEqualTo(ErrorCode.UNAVAILABLE);

        await(paused);
        assertThat(objects.paused()).containsExactly("A");
    }

    @Test
    void catchUp_noNotification_hasTheNewSchema() {
        await(changer.merge(BsonDocument.parse("{'class': '/db/B'}"), Principal.SERVER));

        shared.catchUp();

        until(() -> here.current().find("B").isPresent());
    }

    private SchemaRegistry open(ObjectStore itsStore) {
        return await(
                SchemaRegistry.open(itsStore, ClassDataHandler.withoutCaches(itsStore), new ImmediateCoordination()));
    }

    private static BsonDocument rename() {
        return BsonDocument.parse("{'operation': 'renameField', 'bucket': '/db/A', 'from': 'n', 'to': 'm'}");
    }

    private static void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    /**
     * Coordination that grants every lock immediately; each server resumes by itself at the end.
     */
    private final class ImmediateCoordination implements SchemaCoordination {

        @Override
        public void requireConnected() {}

        @Override
        public Future<SchemaLock> acquireLock() {
            return Future.succeededFuture(new LocalSchemaLock());
        }

        @Override
        public Future<Void> publishChange() {
            return Future.succeededFuture();
        }
    }

    private final class LocalSchemaLock implements SchemaCoordination.SchemaLock {

        @Override
        public void requireValid() {}

        @Override
        public Future<Void> pauseOthers(Set<String> buckets) {
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> resumeAll() {
            return isLooking ? shared.resumeAll(this::requireValid) : Future.succeededFuture();
        }

        @Override
        public void abandon(Set<String> buckets) {}

        @Override
        public void release() {}
    }

    /** A lock that ends with a membership. */
    private record MembershipLock(AtomicBoolean isOver) implements GroupLocks.Lock {

        @Override
        public boolean isInDoubt() {
            return isOver.get();
        }

        @Override
        public void release() {}
    }

    /** A store whose rewrites fail while {@code fails} is set. */
    private final class FailingStore extends ForwardingStore {

        private FailingStore() {
            super(store);
        }

        @Override
        public Future<Void> rewrite(Map<String, DocumentRewrite> rewrites, Runnable done) {
            return fails
                    ? Future.failedFuture(new ApiException(ErrorCode.UNAVAILABLE, "The disk is full"))
                    : super.rewrite(rewrites, done);
        }
    }

    /** Records the paused buckets. */
    private static final class PauseRecorder implements SharedStore {

        private final Set<String> paused = new HashSet<>();
        private volatile Set<String> dropped = Set.of();
        private volatile Future<Void> opening = Future.succeededFuture();

        synchronized Set<String> paused() {
            return Set.copyOf(paused);
        }

        @Override
        public String processName() {
            return "this";
        }

        @Override
        public Future<Void> abortTransactionsOf(String other) {
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> abortTransactionsOfOthers() {
            return Future.succeededFuture();
        }

        @Override
        public void join(Function<String, Future<Void>> indexesChanged) {}

        @Override
        public void resumeIndexBuilds() {}

        @Override
        public void evictBefore(WriteOutcome later) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Future<Void> reloadIndexes(String bucket) {
            return Future.succeededFuture();
        }

        @Override
        public synchronized Future<Void> pause(Set<String> buckets) {
            paused.addAll(buckets);
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> resume(Set<String> buckets, Set<String> itsDropped) {
            return opening.onSuccess(opened -> open(buckets, itsDropped));
        }

        private synchronized void open(Set<String> buckets, Set<String> itsDropped) {
            paused.removeAll(buckets);
            dropped = Set.copyOf(itsDropped);
        }
    }
}
