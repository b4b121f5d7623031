package io.orestes.schema.change;

import static io.orestes.schema.TestSchemas.json;
import static io.orestes.schema.TestSchemas.object;
import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.filter.Filter;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Principal;
import io.orestes.model.Tombstone;
import io.orestes.schema.EmptyStoreFixture;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.model.Schema;
import io.orestes.store.DocumentRewrite;
import io.orestes.store.ForwardingStore;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Servers on one stored schema, of which one at a time changes stored objects while the others
 * pause.
 */
class SchemaCoordinationTest extends EmptyStoreFixture {

    private static final String CLASS = "{'class': '/db/A', 'fields': {'n': {'type': '/db/Integer'}}}";
    private static final String RENAME = "{'operation': 'renameField', 'bucket': '/db/A', 'from': 'n', 'to': 'm'}";
    private static final ObjectRef REF = new ObjectRef("A", "1");

    /** Number of objects, more than the store deletes in one part. */
    private static final int MANY = 1_200;

    private static final int PART = 500;

    private final List<String> events = new CopyOnWriteArrayList<>();
    private boolean isDoubtful;
    private boolean losesTurn;
    private volatile boolean isLate;
    private volatile boolean losesTurnWhileItDrops;
    private boolean fails;
    private boolean failsToPause;
    private SchemaRegistry registry;

    @BeforeEach
    void openRegistry() {
        registry = open();
        await(registry.initialise(true));
        await(merge(registry, CLASS));
        assertThat(await(store.insert(REF, object("{'n': 7}"))).version()).isEqualTo(1);
        events.clear();
    }

    @Test
    void safeChange_takesNoLockAndIsPublished() {
        await(merge(registry, "{'class': '/db/B'}"));

        assertThat(events).containsExactly("changed");
    }

    @Test
    void rename_objectsAreRewrittenOnlyWhileOthersPause() {
        await(merge(registry, RENAME));

        assertThat(events).containsExactly("turn", "pause [A]", "rewrite [A]", "resume", "end");
        assertThat(stored().get("m")).isEqualTo(new BsonInt64(7));
    }

    @Test
    void narrowing_isRefused_othersGoOn() {
        String narrower =
                "{'class': '/db/A', 'fields': {'n': {'type': '/db/Integer', 'metadata': {'orestes.max': '3'}}}}";

        assertThat(failureOf(registry.replaceClass("A", object(narrower), Principal.SERVER))
                        .code())
                .isEqualTo(ErrorCode.SCHEMA_NOT_COMPATIBLE);

        assertThat(events).containsExactly("turn", "pause [A]", "rewrite [A]", "resume", "end");
    }

    @Test
    void removal_othersPauseTheClass() {
        await(registry.delete("A", Principal.SERVER));

        assertThat(events).startsWith("turn", "pause [A]").endsWith("resume", "end");
        assertThat(await(store.find(REF))).isEmpty();
    }

    /** The server that finishes the change may end the pause, and the failed one must not. */
    @Test
    void rename_fails_othersPauseUntilAnotherServerHasFinishedIt() {
        SchemaRegistry other = open();
        await(other.initialise(true));
        fails = true;
        assertThat(failureOf(merge(registry, RENAME)).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(events).doesNotContain("resume").endsWith("give up [A]", "end");
        assertThat(failureOf(other.refresh()).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        fails = false;
        events.clear();

        await(other.recover());

        assertThat(other.current().get("A").ownField("m")).isPresent();
        assertThat(stored().get("m")).isEqualTo(new BsonInt64(7));
        assertThat(events).containsExactly("turn", "pause [A]", "rewrite [A]", "resume", "end");
        assertThat(await(registry.refresh()).get("A").ownField("m")).isPresent();
        assertThat(await(merge(registry, "{'class': '/db/B'}")).find("B")).isPresent();
    }

    /** Covers a server that knows of the change before, and one that first meets it now. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void recover_othersCannotPause_abandonsTheClassesOfThatChange(boolean hasHeard) {
        SchemaRegistry other = open();
        await(other.initialise(true));
        await(merge(other, CLASS.replace("A", "B")));
        await(merge(other, RENAME.replace("A", "B")));
        await(registry.refresh());
        fails = true;
        assertThat(failureOf(merge(registry, RENAME))).isNotNull();
        fails = false;
        if (hasHeard) {
            assertThat(failureOf(other.refresh())).isNotNull();
        }
        events.clear();
        failsToPause = true;

        assertThat(failureOf(other.recover()).code()).isEqualTo(ErrorCode.UNAVAILABLE);

        assertThat(events).containsExactly("turn", "pause [A]", "give up [A]", "end");
    }

    @Test
    void safeChange_anotherServerLeftOneHalfDone_finishesThatFirst() {
        SchemaRegistry other = open();
        await(other.initialise(true));
        fails = true;
        assertThat(failureOf(merge(registry, RENAME))).isNotNull();
        fails = false;

        Schema after = await(merge(other, "{'class': '/db/B'}"));

        assertThat(after.find("B")).isPresent();
        assertThat(after.get("A").ownField("m")).isPresent();
        assertThat(stored().get("m")).isEqualTo(new BsonInt64(7));
    }

    @Test
    void initialise_anotherServerIsInTheMiddle_failsForAllButTheFirst() {
        fails = true;
        assertThat(failureOf(merge(registry, RENAME))).isNotNull();
        fails = false;
        SchemaRegistry starting = open();

        assertThat(failureOf(starting.initialise(false)).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(stored().get("n")).isEqualTo(new BsonInt64(7));

        await(starting.initialise(true));

        assertThat(stored().get("m")).isEqualTo(new BsonInt64(7));
        assertThat(starting.current().get("A").ownField("m")).isPresent();
    }

    /** Another server may be at work on it, or have changed the class again. */
    @Test
    void rename_lockIsLost_storesAndRewritesNothing() {
        losesTurn = true;

        assertThat(failureOf(merge(registry, RENAME)).code()).isEqualTo(ErrorCode.UNAVAILABLE);

        assertThat(stored().get("n")).isEqualTo(new BsonInt64(7));
        assertThat(events).doesNotContain("rewrite [A]");
    }

    /** A change that is finished at a start may be another server's by now, too. */
    @Test
    void initialise_lockIsLostWhileItFinishes_leavesTheRestToOthers() {
        fails = true;
        assertThat(failureOf(merge(registry, RENAME))).isNotNull();
        fails = false;
        SchemaRegistry starting = open();
        isLate = true;

        assertThat(failureOf(starting.initialise(true)).code()).isEqualTo(ErrorCode.UNAVAILABLE);

        isLate = false;
        await(starting.initialise(true));
        assertThat(stored().get("m")).isEqualTo(new BsonInt64(7));
    }

    /** There may be a new class of that name by now, with objects that must not be deleted. */
    @Test
    void removal_lockIsLostInTheMiddle_leavesTheRestToOthers() {
        insertMany();
        losesTurnWhileItDrops = true;

        assertThat(failureOf(registry.delete("A", Principal.SERVER)).code()).isEqualTo(ErrorCode.UNAVAILABLE);

        assertThat(await(store.count("A", Filter.ALL))).isEqualTo(MANY + 1 - PART);
    }

    @Test
    void initialise_lockIsLostWhileItFinishesARemoval_leavesTheRestToOthers() {
        insertMany();
        losesTurnWhileItDrops = true;
        assertThat(failureOf(registry.delete("A", Principal.SERVER))).isNotNull();
        isLate = false;

        assertThat(failureOf(open().initialise(true)).code()).isEqualTo(ErrorCode.UNAVAILABLE);

        assertThat(await(store.count("A", Filter.ALL))).isEqualTo(MANY + 1 - 2 * PART);
    }

    private void insertMany() {
        awaitAll(IntStream.range(0, MANY)
                .mapToObj(i -> store.insert(new ObjectRef("A", "many" + i), object("{'n': 1}")))
                .toList());
    }

    @Test
    void change_leaseHasEnded_isRefused() {
        isDoubtful = true;

        assertThat(failureOf(merge(registry, "{'class': '/db/B'}")).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(registry.current().find("B")).isEmpty();
    }

    @Test
    void rename_anotherServerChangedTheSchemaMeanwhile_keepsThatChange() {
        SchemaRegistry other = open();
        await(other.initialise(true));
        await(merge(other, "{'class': '/db/B'}"));

        Schema after = await(merge(registry, RENAME));

        assertThat(after.find("B")).isPresent();
        assertThat(await(other.refresh()).descriptors()).isEqualTo(after.descriptors());
    }

    private SchemaRegistry open() {
        RecordingStore traced = new RecordingStore();
        return await(SchemaRegistry.open(traced, ClassDataHandler.withoutCaches(traced), new RecordingCoordination()));
    }

    private static Future<Schema> merge(SchemaRegistry registry, String request) {
        return registry.merge(json(request), Principal.SERVER);
    }

    private BsonDocument stored() {
        return await(store.find(REF)).orElseThrow().document();
    }

    /** Records the requests. */
    private final class RecordingCoordination implements SchemaCoordination {

        @Override
        public void requireConnected() {
            if (isDoubtful) {
                throw new ApiException(ErrorCode.UNAVAILABLE, "The lease has ended");
            }
        }

        @Override
        public Future<SchemaLock> acquireLock() {
            events.add("turn");
            return Future.succeededFuture(new RecordingLock());
        }

        @Override
        public Future<Void> publishChange() {
            events.add("changed");
            return Future.succeededFuture();
        }
    }

    private final class RecordingLock implements SchemaCoordination.SchemaLock {

        @Override
        public void requireValid() {
            if (isLate) {
                throw new ApiException(ErrorCode.UNAVAILABLE, "The lease has ended");
            }
        }

        @Override
        public Future<Void> pauseOthers(Set<String> buckets) {
            events.add("pause " + buckets);
            isLate = losesTurn;
            return failsToPause
                    ? Future.failedFuture(new ApiException(ErrorCode.UNAVAILABLE, "A server is silent"))
                    : Future.succeededFuture();
        }

        @Override
        public Future<Void> resumeAll() {
            events.add("resume");
            return Future.succeededFuture();
        }

        @Override
        public void abandon(Set<String> buckets) {
            events.add("give up " + buckets);
        }

        @Override
        public void release() {
            events.add("end");
        }
    }

    /** Records rewrites, or fails them. */
    private final class RecordingStore extends ForwardingStore {

        private RecordingStore() {
            super(store);
        }

        @Override
        public Future<Void> rewrite(Map<String, DocumentRewrite> rewrites, Runnable done) {
            if (fails) {
                return Future.failedFuture(new ApiException(ErrorCode.UNAVAILABLE, "The disk is full"));
            }
            if (!rewrites.isEmpty()) {
                events.add("rewrite " + rewrites.keySet());
            }
            return super.rewrite(rewrites, done);
        }

        @Override
        public Future<Void> drop(String bucket, Runnable guard, Consumer<List<Tombstone>> deleted) {
            return super.drop(
                    bucket,
                    () -> {
                        guard.run();
                        isLate = losesTurnWhileItDrops;
                    },
                    deleted);
        }
    }
}
