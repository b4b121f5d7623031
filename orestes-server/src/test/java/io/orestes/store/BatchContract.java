package io.orestes.store;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.filter.Filter;
import io.orestes.model.Acl;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Permission;
import io.orestes.model.Precondition;
import io.orestes.model.Precondition.ExactVersion;
import io.orestes.model.Precondition.ObjectAbsent;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.model.WriteOutcome;
import io.orestes.store.Batch.DeleteOperation;
import io.orestes.store.Batch.InsertOperation;
import io.orestes.store.Batch.ReadSetEntry;
import io.orestes.store.Batch.ReplaceOperation;
import io.orestes.store.Batch.StateAssertion;
import io.orestes.store.Batch.StoreOperation;
import io.orestes.store.Batch.UpdateOperation;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;

/** Contract of every {@link ObjectStore} for writes that are committed together. */
public abstract class BatchContract {

    private static final ObjectRef A = new ObjectRef("Todo", "a");
    private static final ObjectRef B = new ObjectRef("Todo", "b");
    private static final ObjectRef C = new ObjectRef("Note", "c");
    private static final Principal ALICE = new Principal(Set.of("/db/User/alice"), false);
    private static final Acl ALICES = new Acl(Permission.only("/db/User/alice"), Permission.only("/db/User/alice"));
    private static final Principal BOB = new Principal(Set.of("/db/User/bob"), false);

    protected abstract ObjectStore store();

    @Test
    void commit_everyKindOfWrite_isDoneAndPublishedInOrder() {
        insert(A, 1);
        insert(B, 1);
        insert(new ObjectRef("Todo", "gone"), 1);

        List<WriteOutcome> outcomes = await(commit(
                List.of(),
                new InsertOperation(C, n(5), schemaEpoch(C)),
                add(A, 10),
                new ReplaceOperation(B, n(7), schemaEpoch(B), new ExactVersion(1)),
                new DeleteOperation(new ObjectRef("Todo", "gone"), schemaEpoch(A), new ExactVersion(1))));

        assertThat(outcomes.stream().map(outcome -> outcome.ref().key())).containsExactly("c", "a", "b", "gone");
        assertThat(outcomes.get(3)).isInstanceOf(Tombstone.class);
        assertThat(List.of(value(C), value(A), value(B))).containsExactly(5L, 11L, 7L);
        assertThat(await(store().find(A))).contains((StoredObject) outcomes.get(1));
        assertThat(await(store().find(new ObjectRef("Todo", "gone")))).isEmpty();
    }

    @Test
    void commit_statesAreNotAsExpected_changesNothingAndNamesThemAll() {
        insert(A, 1);
        insert(B, 1);
        insert(B, 2);

        ApiException failure = failureOf(commit(
                List.of(
                        new ReadSetEntry(B, new ExactVersion(1)),
                        new ReadSetEntry(A, new ObjectAbsent()),
                        new ReadSetEntry(C, new ObjectAbsent())),
                new ReplaceOperation(new ObjectRef("Note", "d"), n(1), schemaEpoch(C), new ExactVersion(3)),
                new InsertOperation(C, n(5), schemaEpoch(C))));

        assertThat(failure.code()).isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);
        assertThat(failure.data().orElseThrow().asDocument().getArray("stale"))
                .containsExactly(
                        new BsonString("/db/Note/d"), new BsonString("/db/Todo/b"), new BsonString("/db/Todo/a"));
        assertThat(await(store().find(C))).isEmpty();
    }

    @Test
    void commit_lastWriteFails_undoesThoseBeforeIt() {
        await(store().createIndex("Todo", IndexSpec.ascending("n").asUnique()));
        insert(A, 1);
        insert(B, 2);
        ObjectRef fresh = new ObjectRef("Todo", "fresh");

        ApiException failure = failureOf(commit(
                List.of(),
                new InsertOperation(fresh, n(3), schemaEpoch(A)),
                new DeleteOperation(B, schemaEpoch(B), new ExactVersion(1)),
                add(A, 2)));

        assertThat(failure.code()).isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
        assertThat(await(store().find(fresh))).isEmpty();
        assertThat(List.of(value(A), value(B))).containsExactly(1L, 2L);
        assertThat(await(store().count("Todo", Filter.parse(new BsonDocument("n", new BsonInt64(3))))))
                .isZero();
        assertThat(await(store().insert(fresh, n(3))).version()).isEqualTo(1);
        assertThat(failureOf(store().insert(new ObjectRef("Todo", "other"), n(2)))
                        .code())
                .isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
    }

    /**
     * The embedded store commits all of them in one group, whose batch continues after the failed
     * one.
     */
    @Test
    void commit_failsAmongOthers_failsNoneOfThem() {
        insert(A, 1);
        List<Future<?>> writes = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            writes.add(store().insert(new ObjectRef("Todo", "single" + i), n(100 + i)));
            writes.add(commit(
                    List.of(),
                    new InsertOperation(new ObjectRef("Note", "n" + i), n(i), schemaEpoch(C)),
                    i % 2 == 0 ? add(A, 1) : failing(A)));
        }
        awaitAll(writes);

        assertThat(writes.stream().filter(Future::failed)).hasSize(25);
        assertThat(value(A)).isEqualTo(26);
        assertThat(await(store().count("Note", Filter.ALL))).isEqualTo(25);
        assertThat(await(store().count("Todo", Filter.ALL))).isEqualTo(51);
    }

    @Test
    void commit_withoutPermissionForOneObject_isDeniedWhateverItsVersion() {
        await(store().insert(A, n(1).append("acl", ALICES.toBson())));

        ApiException failure = failureOf(store().commit(new Batch(
                List.of(),
                List.of(
                        new InsertOperation(C, n(5), schemaEpoch(C)),
                        new ReplaceOperation(A, n(7), schemaEpoch(A), new ExactVersion(9))),
                BOB)));

        assertThat(failure.code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(await(store().find(C))).isEmpty();
    }

    @Test
    void commit_readWithoutPermission_isOfNoObject() {
        await(store().insert(A, n(1).append("acl", ALICES.toBson())));
        ReadSetEntry present = new ReadSetEntry(A, new ExactVersion(1));
        ReadSetEntry absent = new ReadSetEntry(A, new ObjectAbsent());

        assertThat(await(store().commit(new Batch(List.of(present), List.of(), ALICE))))
                .isEmpty();
        assertThat(failureOf(store().commit(new Batch(List.of(present), List.of(), BOB)))
                        .code())
                .isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);
        assertThat(await(store().commit(new Batch(List.of(absent), List.of(), BOB))))
                .isEmpty();
    }

    @Test
    void commit_premiseHolds_isDoneAlsoIfTheWriterMayNotReadIt() {
        StoredObject secret = await(store().insert(A, n(1).append("acl", ALICES.toBson())));
        List<StateAssertion> premises = List.of(StateAssertion.of(A, secret), StateAssertion.of(B, null));

        assertThat(await(store().commit(new Batch(List.of(), premises, List.of(insertion(C)), BOB))))
                .hasSize(1);
    }

    /** The server repeats an outdated check. */
    @Test
    void commit_premiseDoesNotHold_changesNothingAndMayBeRepeated() {
        StoredObject before = await(store().insert(A, n(1)));
        insert(A, 2);
        List<StateAssertion> premises = List.of(StateAssertion.of(A, before));

        ApiException failure = failureOf(store().commit(new Batch(List.of(), premises, List.of(insertion(C)), ALICE)));

        assertThat(failure.code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(failure.isRepeatable()).isTrue();
        assertThat(await(store().find(C))).isEmpty();
    }

    @Test
    void commit_neitherReadNorPremiseHolds_namesWhatTheWriterHasRead() {
        insert(A, 1);
        List<StateAssertion> premises = List.of(StateAssertion.of(A, null));
        List<ReadSetEntry> reads = List.of(new ReadSetEntry(B, new ExactVersion(1)));

        ApiException failure = failureOf(store().commit(new Batch(reads, premises, List.of(insertion(C)), ALICE)));

        assertThat(failure.code()).isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);
        assertThat(failure.data().orElseThrow().asDocument().getArray("stale")).containsExactly(new BsonString(B.id()));
    }

    private StoreOperation insertion(ObjectRef ref) {
        return new InsertOperation(ref, n(5), schemaEpoch(ref));
    }

    @Test
    void commit_updateOfNoObjectThatExpectsAState_isStaleLikeOthers() {
        insert(A, 1);
        UpdateOperation absent = new UpdateOperation(B, (stored, at) -> n(5), schemaEpoch(B), new ExactVersion(3));
        UpdateOperation old = new UpdateOperation(A, (stored, at) -> n(5), schemaEpoch(A), new ExactVersion(3));

        ApiException failure = failureOf(commit(List.of(), absent, old));

        assertThat(failure.code()).isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);
        assertThat(failure.data().orElseThrow().asDocument().getArray("stale"))
                .containsExactly(new BsonString(B.id()), new BsonString(A.id()));
    }

    @Test
    void commit_writesThatFailAlone_failLikewise() {
        insert(A, 1);

        assertThat(failureOf(commit(List.of(), new InsertOperation(A, n(5), schemaEpoch(A))))
                        .code())
                .isEqualTo(ErrorCode.OBJECT_EXISTS);
        assertThat(failureOf(commit(List.of(), add(B, 1))).code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
        assertThat(failureOf(commit(List.of(), new InsertOperation(B, n(5), schemaEpoch(B)), failing(A)))
                        .code())
                .isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(await(store().find(B))).isEmpty();
        assertThat(await(commit(List.of(), new DeleteOperation(B, schemaEpoch(B), Precondition.none()))))
                .isEmpty();
    }

    @Test
    void commit_transfersOnManyThreads_keepTheSum() throws InterruptedException {
        int accounts = 10;
        IntStream.range(0, accounts).forEach(i -> insert(account(i), 100));
        List<Thread> threads = IntStream.range(0, 8)
                .mapToObj(seed -> new Thread(() -> transfer(new Random(seed), accounts)))
                .toList();

        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }

        List<StoredObject> all = await(store().scan("Account", "", accounts));
        assertThat(all.stream().mapToLong(BatchContract::n)).hasSize(accounts);
        assertThat(all.stream().mapToLong(BatchContract::n).sum()).isEqualTo(100L * accounts);
        // a version for each insert and two for each transfer that was committed
        assertThat(all.stream().mapToLong(object -> object.version() - 1).sum()).isEqualTo(2L * 8 * 100);
    }

    private void transfer(Random random, int accounts) {
        int done = 0;
        while (done < 100) {
            StoredObject from =
                    await(store().find(account(random.nextInt(accounts)))).orElseThrow();
            StoredObject to =
                    await(store().find(account(random.nextInt(accounts)))).orElseThrow();
            Future<List<WriteOutcome>> transfer = from.ref().equals(to.ref())
                    ? Future.failedFuture("the same")
                    : commit(List.of(), replaced(from, n(from) - 7), replaced(to, n(to) + 7));
            awaitAll(List.of(transfer));
            done += transfer.succeeded() ? 1 : 0;
        }
    }

    private StoreOperation replaced(StoredObject read, long value) {
        return new ReplaceOperation(read.ref(), n(value), schemaEpoch(read.ref()), new ExactVersion(read.version()));
    }

    private static ObjectRef account(int number) {
        return new ObjectRef("Account", "a" + number);
    }

    private void insert(ObjectRef ref, long value) {
        assertThat(await(store().replace(ref, n(value), Precondition.none(), ALICE)))
                .isNotNull();
    }

    private Future<List<WriteOutcome>> commit(List<ReadSetEntry> reads, StoreOperation... writes) {
        return store().commit(new Batch(reads, List.of(writes), ALICE));
    }

    private StoreOperation add(ObjectRef ref, long more) {
        UpdateFunction updateFunction = (stored, at) -> n(stored.getInt64("n").getValue() + more);
        return new UpdateOperation(ref, updateFunction, schemaEpoch(ref), Precondition.none());
    }

    private StoreOperation failing(ObjectRef ref) {
        UpdateFunction updateFunction = (stored, at) -> {
            throw new ApiException(ErrorCode.BAD_REQUEST, "refused");
        };
        return new UpdateOperation(ref, updateFunction, schemaEpoch(ref), Precondition.none());
    }

    private long schemaEpoch(ObjectRef ref) {
        return store().schemaEpoch(ref.bucket());
    }

    private long value(ObjectRef ref) {
        return n(await(store().find(ref)).orElseThrow());
    }

    private static long n(StoredObject object) {
        return object.document().getInt64("n").getValue();
    }

    private static BsonDocument n(long value) {
        return new BsonDocument("n", new BsonInt64(value));
    }
}
