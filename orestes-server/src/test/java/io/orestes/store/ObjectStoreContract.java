package io.orestes.store;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.model.VersionStamp;
import io.invalidb.query.filter.Filter;
import io.orestes.model.Acl;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Permission;
import io.orestes.model.Precondition;
import io.orestes.model.Precondition.ExactState;
import io.orestes.model.Precondition.ExactVersion;
import io.orestes.model.Precondition.ObjectExists;
import io.orestes.model.Principal;
import io.orestes.model.ReadLevel;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.support.Scope;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Contract of every {@link ObjectStore} for single objects. An implementation's test extends this
 * and supplies a fresh, empty store that runs on {@link #clock}. Queries have a suite of their own:
 * {@code ObjectQueryContract}.
 */
public abstract class ObjectStoreContract {

    private static final ObjectRef REF = new ObjectRef("Todo", "a");
    private static final Principal ALICE = new Principal(Set.of("/db/User/alice"), false);
    private static final Principal BOB = new Principal(Set.of("/db/User/bob"), false);

    protected final ManualClock clock = new ManualClock();

    protected abstract ObjectStore store();

    protected abstract Vertx vertx();

    @Test
    void find_neverWritten_isEmpty() {
        assertThat(await(store().find(REF))).isEmpty();
    }

    @Test
    void find_afterInsert_isTheAfterImage() {
        StoredObject inserted = await(store().insert(REF, todo("milk")));

        assertThat(await(store().find(REF))).contains(inserted);
    }

    @Test
    void linearizableReads_afterAWrite_showIt() {
        ObjectRef ref = new ObjectRef("Newest", "a");
        await(store().insert(ref, BsonDocument.parse("{n: 1}")));
        StoredObject written =
                await(store().replace(ref, BsonDocument.parse("{n: 2}"), Precondition.none(), Principal.SERVER));
        Filter two = Filter.parse(BsonDocument.parse("{n: 2}"));
        List<StoredObject> visited = new CopyOnWriteArrayList<>();

        assertThat(await(store().find(ref, ReadLevel.LINEARIZABLE))).contains(written);
        assertThat(await(store().query(StoreQuery.all("Newest", two).withLevel(ReadLevel.LINEARIZABLE))))
                .containsExactly(written);
        assertThat(await(store().count("Newest", two, ReadLevel.LINEARIZABLE))).isEqualTo(1);
        await(store().visit("Newest", two, ReadLevel.LINEARIZABLE, visited::add));
        assertThat(visited).containsExactly(written);
    }

    @Test
    void findAll_ofSeveralClasses_hasThoseThatAreThere() {
        ObjectRef other = new ObjectRef("Other", "a");
        ObjectRef never = new ObjectRef("Todo", "never");
        ObjectRef deleted = new ObjectRef("Todo", "deleted");
        StoredObject first = await(store().insert(REF, todo("milk")));
        StoredObject second = await(store().insert(other, todo("bread")));
        await(store().insert(deleted, todo("gone")));
        await(store().delete(deleted, Precondition.none(), Principal.SERVER));

        assertThat(await(store().findAll(List.of(never, other, REF, deleted, REF))))
                .isEqualTo(Map.of(REF, first, other, second));
        assertThat(await(store().findAll(List.of()))).isEmpty();
    }

    @Test
    void findAll_moreThanOneRequestHolds_hasAll() {
        List<StoredObject> inserted = IntStream.range(0, 1_500)
                .mapToObj(i -> store().insert(new ObjectRef("Todo", "k" + i), todo("t" + i)))
                .toList()
                .stream()
                .map(Await::await)
                .toList();

        assertThat(await(store().findAll(
                                        inserted.stream().map(StoredObject::ref).toList()))
                        .values())
                .containsExactlyInAnyOrderElementsOf(inserted);
    }

    @Test
    void find_keyWithReservedAndForeignCharacters_isFoundUnderItsOwnKeyOnly() {
        List<String> keys = List.of("a/b", "a%2Fb", "ä", "🦔", "a b", "A", "~");
        keys.forEach(key -> await(store().insert(new ObjectRef("Todo", key), todo(key))));

        for (String key : keys) {
            Optional<StoredObject> found = await(store().find(new ObjectRef("Todo", key)));

            assertThat(found.orElseThrow().document().getString("text").getValue())
                    .isEqualTo(key);
        }
    }

    @Test
    void insert_newObject_getsIdVersionOneAndTheTimeOfTheClock() {
        StoredObject inserted = await(store().insert(REF, todo("milk")));

        assertThat(inserted.ref()).isEqualTo(REF);
        assertThat(inserted.document().getString("_id").getValue()).isEqualTo("/db/Todo/a");
        assertThat(inserted.version()).isEqualTo(1);
        assertThat(inserted.createdAt()).isEqualTo(clock.millis());
        assertThat(inserted.updatedAt()).isEqualTo(clock.millis());
    }

    @Test
    void insert_existingObject_failsAndPreservesIt() {
        StoredObject first = await(store().insert(REF, todo("first")));

        ApiException failure = failureOf(store().insert(REF, todo("second")));

        assertThat(failure.code()).isEqualTo(ErrorCode.OBJECT_EXISTS);
        assertThat(await(store().find(REF))).contains(first);
    }

    @Test
    void insert_fieldsWithMetadata_areOverruled() {
        BsonDocument fields = todo("milk")
                .append("_id", new BsonString("/db/Other/b"))
                .append("id", new BsonString("/db/Other/b"))
                .append("version", new BsonInt64(77))
                .append("createdAt", new BsonString("never"))
                .append("_readAllowed", new BsonArray(List.of(new BsonString("/db/User/eve"))));

        StoredObject inserted = await(store().insert(REF, fields));

        assertThat(inserted.document().keySet()).containsExactly("_id", "version", "createdAt", "updatedAt", "text");
        assertThat(inserted.version()).isEqualTo(1);
    }

    @Test
    void insert_fieldsOfTheCaller_areNeitherChangedNorRetained() {
        BsonArray tags = new BsonArray(List.of(new BsonString("one")));
        BsonDocument fields = todo("milk").append("tags", tags);
        BsonDocument before = fields.clone();

        StoredObject inserted = await(store().insert(REF, fields));
        assertThat(fields).isEqualTo(before);
        tags.add(new BsonString("two"));

        assertThat(inserted.document().getArray("tags")).hasSize(1);
        assertThat(await(store().find(REF))).contains(inserted);
    }

    @Test
    void insert_fieldOrder_isMetadataThenFieldsAsGivenThenReaders() {
        BsonDocument fields = new BsonDocument("z", new BsonInt32(1))
                .append("acl", aclReadableBy("/db/User/alice"))
                .append("a", new BsonInt32(2));

        await(store().insert(REF, fields));

        assertThat(await(store().find(REF)).orElseThrow().document().keySet())
                .containsExactly("_id", "version", "acl", "createdAt", "updatedAt", "z", "a", "_readAllowed");
    }

    @Test
    void insert_aclWithReaders_derivesWhoMayAndMayNotRead() {
        Permission read = new Permission(Set.of("/db/User/bob", "/db/User/alice"), Set.of("/db/Role/spam"));
        BsonDocument acl = new Acl(read, Permission.PUBLIC).toBson();

        StoredObject inserted = await(store().insert(REF, todo("milk").append("acl", acl)));

        assertThat(inserted.acl().read()).isEqualTo(read);
        assertThat(inserted.document().getArray("_readAllowed"))
                .containsExactly(new BsonString("/db/User/alice"), new BsonString("/db/User/bob"));
        assertThat(inserted.document().getArray("_readDenied")).containsExactly(new BsonString("/db/Role/spam"));
    }

    @Test
    void replace_aclMadePublic_dropsAclAndReaders() {
        await(store().insert(REF, todo("milk").append("acl", aclReadableBy("/db/User/alice"))));

        StoredObject replaced = await(
                store().replace(REF, todo("milk").append("acl", Acl.PUBLIC.toBson()), Precondition.none(), ALICE));

        assertThat(replaced.document().keySet()).doesNotContain("acl", "_readAllowed", "_readDenied");
    }

    @Test
    void insert_malformedAcl_failsAndStoresNothing() {
        ApiException failure = failureOf(store().insert(REF, todo("milk").append("acl", new BsonString("mine"))));

        assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_PERMISSION_MODIFICATION);
        assertThat(await(store().find(REF))).isEmpty();
    }

    @Test
    void insert_fieldNameThatBsonCannotHold_failsAsBadRequestAndStoresNothing() {
        ApiException failure = failureOf(store().insert(REF, new BsonDocument("a\0b", new BsonInt32(1))));

        assertThat(failure.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(await(store().find(REF))).isEmpty();
    }

    @Test
    void replace_existingObject_keepsItsCreationTimeAndCountsOn() {
        StoredObject first = await(store().insert(REF, todo("first")));
        clock.advance(5);

        StoredObject second = await(replace("second", Precondition.none()));

        assertThat(second.version()).isEqualTo(2);
        assertThat(second.createdAt()).isEqualTo(first.createdAt());
        assertThat(second.updatedAt()).isEqualTo(clock.millis());
        assertThat(await(store().find(REF))).contains(second);
    }

    @Test
    void replace_fieldsLeftOut_areRemoved() {
        await(store().insert(REF, todo("milk").append("done", new BsonInt32(1))));

        StoredObject replaced = await(replace("milk", Precondition.none()));

        assertThat(replaced.document()).doesNotContainKey("done");
    }

    @Test
    void replace_earlierAfterImage_isNotChanged() {
        StoredObject first = await(store().insert(REF, todo("first")));
        BsonDocument copy = first.document().clone();

        await(replace("second", Precondition.none()));

        assertThat(first.document()).isEqualTo(copy);
    }

    @Test
    void replace_noObjectAndNoCondition_inserts() {
        assertThat(await(replace("milk", Precondition.none())).version()).isEqualTo(1);
    }

    @Test
    void replace_noObjectButOneExpected_isOutOfDate() {
        for (Precondition precondition : List.of(new ObjectExists(), new ExactVersion(1), new ExactState(1, 1))) {
            ApiException failure = failureOf(replace("milk", precondition));

            assertThat(failure.code()).isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);
            assertThat(await(store().find(REF))).isEmpty();
        }
    }

    @Test
    void replace_expectedVersion_isWritten() {
        await(store().insert(REF, todo("first")));

        assertThat(await(replace("second", new ExactVersion(1))).version()).isEqualTo(2);
        assertThat(await(replace("third", new ObjectExists())).version()).isEqualTo(3);
    }

    @Test
    void replace_otherVersion_isOutOfDateAndChangesNothing() {
        StoredObject first = await(store().insert(REF, todo("first")));

        ApiException failure = failureOf(replace("second", new ExactVersion(7)));

        assertThat(failure.code()).isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);
        assertThat(failure.message()).contains("is out of date");
        assertThat(await(store().find(REF))).contains(first);
    }

    @Test
    void replace_stateOfAnEarlierLife_isOutOfDateAndChangesNothing() {
        StoredObject former = await(store().insert(REF, todo("former")));
        await(delete(Precondition.none()));
        StoredObject present = await(store().insert(REF, todo("present")));

        ApiException failure = failureOf(replace("late", state(former)));
        ApiException deletion = failureOf(delete(state(former)));

        assertThat(former.version()).isEqualTo(present.version());
        assertThat(failure.code()).isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);
        assertThat(deletion.code()).isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);
        assertThat(await(store().find(REF))).contains(present);
    }

    @Test
    void replace_expectedState_isWrittenOnce() {
        StoredObject first = await(store().insert(REF, todo("first")));

        assertThat(await(replace("second", state(first))).version()).isEqualTo(2);

        assertThat(failureOf(replace("third", state(first))).code()).isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);
    }

    @Test
    void replace_clockStandsOrRunsBack_updatedAtStillGrows() {
        List<Long> times = new ArrayList<>();
        for (long step : List.of(0L, 0L, -5_000L, 1L, 10_000L, -20_000L)) {
            clock.advance(step);
            times.add(await(replace("milk", Precondition.none())).updatedAt());
        }

        assertThat(times).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void replace_writerWithoutPermission_isDeniedBeforeVersionsAreCompared() {
        StoredObject mine = await(store().insert(REF, writableByAlice()));

        for (Precondition precondition : List.of(Precondition.none(), new ExactVersion(1), new ExactVersion(9))) {
            ApiException failure = failureOf(store().replace(REF, todo("bob's"), precondition, BOB));

            assertThat(failure.code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
            assertThat(failure.message()).contains("Write permissions are required");
        }
        assertThat(await(store().find(REF))).contains(mine);
    }

    @Test
    void replace_writerWithPermissionOrAdmin_isWritten() {
        await(store().insert(REF, writableByAlice()));

        StoredObject byAlice = await(store().replace(REF, writableByAlice(), new ExactVersion(1), ALICE));
        StoredObject byServer = await(store().replace(REF, todo("now public"), new ExactVersion(2), Principal.SERVER));

        assertThat(byAlice.version()).isEqualTo(2);
        assertThat(byServer.version()).isEqualTo(3);
    }

    @Test
    void replace_permissionsOfTheNewState_doNotCount() {
        await(store().insert(REF, todo("public")));

        StoredObject locked = await(store().replace(REF, writableByAlice(), Precondition.none(), BOB));

        assertThat(locked.version()).isEqualTo(2);
        assertThat(failureOf(store().replace(REF, todo("again"), Precondition.none(), BOB))
                        .code())
                .isEqualTo(ErrorCode.PERMISSION_DENIED);
    }

    @Test
    void delete_existingObject_leavesATombstoneOneVersionOn() {
        StoredObject stored = await(store().insert(REF, todo("milk")));

        Optional<Tombstone> tombstone = await(delete(new ExactVersion(1)));

        assertThat(tombstone).contains(new Tombstone(REF, new VersionStamp(stored.createdAt(), 2)));
        assertThat(await(store().find(REF))).isEmpty();
    }

    @Test
    void delete_noObject_isEmptyOrOutOfDate() {
        assertThat(await(delete(Precondition.none()))).isEmpty();
        assertThat(failureOf(delete(new ObjectExists())).code()).isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);
        assertThat(failureOf(delete(new ExactVersion(1))).code()).isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);
    }

    @Test
    void delete_otherVersionOrWriterWithoutPermission_changesNothing() {
        StoredObject mine = await(store().insert(REF, writableByAlice()));

        ApiException stale = failureOf(store().delete(REF, new ExactVersion(2), ALICE));
        ApiException denied = failureOf(store().delete(REF, Precondition.none(), BOB));

        assertThat(stale.code()).isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);
        assertThat(denied.code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(await(store().find(REF))).contains(mine);
    }

    @Test
    void insert_afterDelete_startsALaterLifeWhateverTheClockDoes() {
        await(store().insert(REF, todo("1")));
        await(replace("2", Precondition.none()));
        StoredObject last = await(replace("3", Precondition.none()));
        await(delete(Precondition.none()));
        clock.advance(-60_000);

        StoredObject reborn = await(store().insert(REF, todo("4")));

        assertThat(reborn.version()).isEqualTo(1);
        assertThat(reborn.createdAt()).isGreaterThan(last.updatedAt());
        assertThat(reborn.updatedAt()).isEqualTo(reborn.createdAt());
    }

    @Test
    void insertAndDelete_concurrentlyOnOneObject_livesNeverOverlap() {
        List<Future<StoredObject>> births = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            births.add(store().replace(REF, todo("life " + i), Precondition.none(), ALICE));
            Future<Optional<Tombstone>> unused = delete(Precondition.none());
        }

        awaitAll(births);

        assertThat(births.stream().map(birth -> birth.result().stamp()))
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void replace_concurrentWritersOfOneVersion_exactlyOneWins() {
        await(store().insert(REF, todo("start")));

        List<Future<StoredObject>> writes = IntStream.range(0, 50)
                .mapToObj(i -> replace("w" + i, new ExactVersion(1)))
                .toList();
        awaitAll(writes);

        List<StoredObject> winners =
                writes.stream().filter(Future::succeeded).map(Future::result).toList();
        assertThat(winners).hasSize(1);
        assertThat(await(store().find(REF))).contains(winners.get(0));
        assertThat(writes.stream().filter(Future::failed).map(write -> ((ApiException) write.cause()).code()))
                .containsOnly(ErrorCode.OBJECT_OUT_OF_DATE);
    }

    @Test
    void insert_concurrentFirstWriters_exactlyOneWins() {
        List<Future<StoredObject>> writes = IntStream.range(0, 20)
                .mapToObj(i -> store().insert(REF, todo("w" + i)))
                .toList();
        awaitAll(writes);

        assertThat(writes.stream().filter(Future::succeeded)).hasSize(1);
    }

    @Test
    void replace_concurrentFirstWriters_allSucceedInSomeOrder() {
        List<Future<StoredObject>> writes = IntStream.range(0, 20)
                .mapToObj(i -> replace("w" + i, Precondition.none()))
                .toList();
        awaitAll(writes);

        assertThat(writes.stream().map(write -> write.result().version()).sorted())
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 20).boxed().toList());
    }

    /** Most attempts lose to another thread, and over MongoDB each of them is a command. */
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void replace_compareAndSwapLoopsOnManyThreads_loseNoIncrement() throws InterruptedException {
        int threads = 8;
        int rounds = Scope.rounds(200);
        await(store().insert(REF, new BsonDocument("n", new BsonInt32(0))));
        List<StoredObject> images = Collections.synchronizedList(new ArrayList<>());

        inParallel(threads, () -> IntStream.range(0, rounds).forEach(round -> images.add(increment())));

        assertThat(images.stream().map(StoredObject::version).sorted())
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(2, threads * rounds + 1).boxed().toList());
        assertThat(images)
                .allSatisfy(image ->
                        assertThat(image.document().getInt32("n").getValue()).isEqualTo((int) image.version() - 1));
    }

    @Test
    void anyCall_fromAnEventLoop_completesThere() {
        Context context = vertx().getOrCreateContext();
        Promise<List<Context>> seen = Promise.promise();

        context.runOnContext(nothing -> store().insert(REF, todo("milk"))
                .map(stored -> Vertx.currentContext())
                .compose(one -> store().find(REF).map(found -> List.of(one, Vertx.currentContext())))
                .onComplete(seen));

        assertThat(await(seen.future())).containsOnly(context);
    }

    @Test
    void anyCall_aCallersHandlerThrows_othersStillGetTheirAnswer() {
        Context context = vertx().getOrCreateContext();
        Promise<StoredObject> second = Promise.promise();

        context.exceptionHandler(expected -> {});
        context.runOnContext(nothing -> {
            Future<StoredObject> unused = store().insert(REF, todo("milk")).onComplete(done -> {
                throw new IllegalStateException("a caller's mistake");
            });
            store().insert(new ObjectRef("Todo", "b"), todo("bread")).onComplete(second);
        });

        assertThat(await(second.future()).version()).isEqualTo(1);
    }

    @Test
    void scan_largeObjects_endThePageEarly() {
        String large = "x".repeat(ObjectStore.PAGE_BYTES / 2 + 1);
        List.of("a", "b", "c", "d", "e").forEach(key -> await(store().insert(new ObjectRef("Todo", key), todo(large))));

        assertThat(await(store().scan("Todo", "", 5))).hasSize(2);
        assertThat(await(store().scan("Todo", new ObjectRef("Todo", "d").id(), 5)))
                .hasSize(1);
    }

    @Test
    void scan_pages_coverTheBucketInOrderOfIdsAndNothingElse() {
        List<String> keys = List.of("b", "a", "a/x", "ä", "aa", "Z", "0");
        keys.forEach(key -> await(store().insert(new ObjectRef("Todo", key), todo(key))));
        await(store().insert(new ObjectRef("Todo.More", "a"), todo("other bucket")));
        await(store().insert(new ObjectRef("Tod", "a"), todo("other bucket")));

        List<String> ids = new ArrayList<>();
        List<StoredObject> page = await(store().scan("Todo", "", 3));
        while (!page.isEmpty()) {
            page.forEach(object -> ids.add(object.ref().id()));
            page = await(store().scan("Todo", ids.get(ids.size() - 1), 3));
        }

        assertThat(ids)
                .containsExactlyElementsOf(keys.stream()
                        .map(key -> new ObjectRef("Todo", key).id())
                        .sorted()
                        .toList());
    }

    @Test
    void truncate_bucket_deletesAllOfItAndNothingElse() {
        int count = 1_234;
        List<Future<StoredObject>> inserts = IntStream.range(0, count)
                .mapToObj(i -> store().insert(new ObjectRef("Todo", "k" + i), todo("t" + i)))
                .toList();
        awaitAll(inserts);
        StoredObject other = await(store().insert(new ObjectRef("Todos", "a"), todo("stays")));

        List<Tombstone> tombstones = new ArrayList<>();
        await(store().truncate("Todo", tombstones::addAll));

        assertThat(tombstones).hasSize(count).doesNotHaveDuplicates();
        assertThat(tombstones)
                .allSatisfy(tombstone -> assertThat(tombstone.stamp().version()).isEqualTo(2));
        assertThat(await(store().scan("Todo", "", 10))).isEmpty();
        assertThat(await(store().find(other.ref()))).contains(other);
    }

    @Test
    void close_laterCalls_fail() {
        Future<StoredObject> before = store().insert(REF, todo("milk"));
        await(store().close());

        assertThat(await(before).version()).isEqualTo(1);
        assertThat(failureOf(store().find(REF)).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(failureOf(store().insert(REF, todo("milk"))).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        await(store().close());
    }

    private StoredObject increment() {
        while (true) {
            StoredObject current = await(store().find(REF)).orElseThrow();
            BsonInt32 next = new BsonInt32(current.document().getInt32("n").getValue() + 1);
            Future<StoredObject> write =
                    store().replace(REF, new BsonDocument("n", next), new ExactVersion(current.version()), ALICE);
            awaitAll(List.of(write));
            if (write.succeeded()) {
                return write.result();
            }
        }
    }

    private Future<StoredObject> replace(String text, Precondition precondition) {
        return store().replace(REF, todo(text), precondition, ALICE);
    }

    private Future<Optional<Tombstone>> delete(Precondition precondition) {
        return store().delete(REF, precondition, ALICE);
    }

    private static Precondition state(StoredObject object) {
        return new ExactState(object.version(), object.updatedAt());
    }

    private static BsonDocument todo(String text) {
        return new BsonDocument("text", new BsonString(text));
    }

    private static BsonDocument writableByAlice() {
        Acl acl = new Acl(Permission.PUBLIC, Permission.only("/db/User/alice"));
        return todo("alice's").append("acl", acl.toBson());
    }

    private static BsonDocument aclReadableBy(String id) {
        return new Acl(Permission.only(id), Permission.PUBLIC).toBson();
    }

    private static void inParallel(int threads, Runnable work) throws InterruptedException {
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> running = IntStream.range(0, threads)
                .mapToObj(i -> new Thread(() -> {
                    awaitStart(start);
                    work.run();
                }))
                .toList();
        running.forEach(Thread::start);
        start.countDown();
        for (Thread thread : running) {
            thread.join();
        }
    }

    private static void awaitStart(CountDownLatch start) {
        try {
            start.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
