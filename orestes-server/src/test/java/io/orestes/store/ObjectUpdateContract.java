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
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.support.Scope;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;

/**
 * Contract of every {@link ObjectStore} for updates, which it computes from the state they meet.
 */
public abstract class ObjectUpdateContract {

    private static final ObjectRef REF = new ObjectRef("Todo", "a");
    private static final Principal ALICE = new Principal(Set.of("/db/User/alice"), false);
    private static final Principal BOB = new Principal(Set.of("/db/User/bob"), false);

    private static final UpdateFunction INCREMENT = (stored, at) ->
            stored.clone().append("n", new BsonInt64(stored.getInt64("n").getValue() + 1));

    protected final ManualClock clock = new ManualClock();

    protected abstract ObjectStore store();

    @Test
    void update_existingObject_makesTheNextState() {
        StoredObject first = await(store().insert(REF, counter(1).append("text", new BsonString("kept"))));
        clock.advance(5);

        StoredObject second = await(increment());

        assertThat(n(second)).isEqualTo(2);
        assertThat(second.document().getString("text").getValue()).isEqualTo("kept");
        assertThat(second.version()).isEqualTo(2);
        assertThat(second.createdAt()).isEqualTo(first.createdAt());
        assertThat(second.updatedAt()).isEqualTo(clock.millis());
        assertThat(await(store().find(REF))).contains(second);
    }

    @Test
    void update_always_receivesTheTimeOfTheStateItMakes() {
        await(store().insert(REF, counter(1)));

        StoredObject second = await(update((stored, at) -> counter(at), Precondition.none(), ALICE));

        assertThat(n(second)).isEqualTo(second.updatedAt());
    }

    @Test
    void update_thatChangesNothing_isAWriteAllTheSame() {
        StoredObject first = await(store().insert(REF, counter(1)));

        StoredObject second = await(update((stored, at) -> stored, Precondition.none(), ALICE));

        assertThat(second.version()).isEqualTo(2);
        assertThat(second.updatedAt()).isGreaterThan(first.updatedAt());
        assertThat(n(second)).isEqualTo(1);
    }

    @Test
    void update_metadata_isOverruledAndReadersAreDerived() {
        await(store().insert(REF, counter(1)));
        Acl acl = new Acl(Permission.only("/db/User/alice"), Permission.PUBLIC);

        StoredObject second = await(update(
                (stored, at) -> counter(2)
                        .append("version", new BsonInt64(77))
                        .append("createdAt", new BsonDateTime(1))
                        .append("acl", acl.toBson()),
                Precondition.none(),
                ALICE));

        assertThat(second.version()).isEqualTo(2);
        assertThat(second.createdAt()).isEqualTo(clock.millis());
        assertThat(second.document().getArray("_readAllowed")).containsExactly(new BsonString("/db/User/alice"));
        assertThat(second.acl()).isEqualTo(acl);
    }

    @Test
    void update_noObject_isNotFoundWhateverTheCondition() {
        for (Precondition precondition : List.of(Precondition.none(), new ExactVersion(1))) {
            ApiException failure = failureOf(update((stored, at) -> counter(1), precondition, ALICE));

            assertThat(failure.code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
            assertThat(await(store().find(REF))).isEmpty();
        }
    }

    @Test
    void update_otherVersion_isOutOfDateAndNotApplied() {
        StoredObject first = await(store().insert(REF, counter(1)));
        List<BsonDocument> asked = new ArrayList<>();
        UpdateFunction noting = (stored, at) -> {
            asked.add(stored);
            return stored;
        };

        assertThat(failureOf(update(noting, new ExactVersion(2), ALICE)).code())
                .isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);

        assertThat(asked).isEmpty();
        assertThat(await(store().find(REF))).contains(first);
        assertThat(await(update(noting, new ExactVersion(1), ALICE)).version()).isEqualTo(2);
    }

    @Test
    void update_writerWithoutPermission_isDenied() {
        Acl acl = new Acl(Permission.PUBLIC, Permission.only("/db/User/alice"));
        await(store().insert(REF, counter(1).append("acl", acl.toBson())));

        assertThat(failureOf(update(INCREMENT, new ExactVersion(9), BOB)).code())
                .isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(await(update(INCREMENT, Precondition.none(), ALICE)).version())
                .isEqualTo(2);
    }

    @Test
    void update_thatFails_changesNothingAndFailsNoOtherWrite() {
        StoredObject first = await(store().insert(REF, counter(1)));
        Future<StoredObject> failed = update(
                (stored, at) -> {
                    throw new ApiException(ErrorCode.BAD_REQUEST, "refused");
                },
                Precondition.none(),
                ALICE);
        Future<StoredObject> other = store().insert(new ObjectRef("Todo", "b"), counter(1));

        assertThat(failureOf(failed).message()).isEqualTo("refused");
        assertThat(await(other).version()).isEqualTo(1);
        assertThat(await(store().find(REF))).contains(first);
    }

    @Test
    void update_documentHandedOutBefore_isNotChanged() {
        StoredObject first = await(store().insert(REF, counter(1).append("list", new BsonArray())));
        BsonDocument copy = first.document().clone();

        await(increment());

        assertThat(first.document()).isEqualTo(copy);
    }

    @Test
    void update_tooLargeAnObject_isRefused() {
        await(store().insert(REF, counter(1)));
        BsonString large = new BsonString("x".repeat(ObjectStore.MAX_UPDATED_BYTES));

        ApiException failure =
                failureOf(update((stored, at) -> counter(1).append("text", large), Precondition.none(), ALICE));

        assertThat(failure.code()).isEqualTo(ErrorCode.PAYLOAD_TOO_LARGE);
        assertThat(await(store().find(REF)).orElseThrow().version()).isEqualTo(1);
    }

    @Test
    void update_uniqueValueOfAnotherObject_isRefusedAndChangesNothing() {
        await(store().createIndex("Todo", IndexSpec.ascending("n").asUnique()));
        await(store().insert(REF, counter(1)));
        await(store().insert(new ObjectRef("Todo", "b"), counter(2)));

        assertThat(failureOf(increment()).code()).isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);

        assertThat(n(await(store().find(REF)).orElseThrow())).isEqualTo(1);
    }

    @Test
    void update_indexedField_isFoundUnderItsNewValueOnly() {
        await(store().createIndex("Todo", IndexSpec.ascending("n")));
        await(store().insert(REF, counter(1)));

        await(increment());

        assertThat(await(store().count("Todo", Filter.parse(counter(1))))).isZero();
        assertThat(await(store().count("Todo", Filter.parse(counter(2))))).isEqualTo(1);
    }

    @Test
    void update_sentInTurnWithReplacesAndDeletes_meetsTheStateBeforeIt() {
        Future<StoredObject> born = store().insert(REF, counter(10));
        Future<StoredObject> first = increment();
        Future<StoredObject> replaced = store().replace(REF, counter(20), Precondition.none(), ALICE);
        Future<StoredObject> second = increment();
        Future<Optional<Tombstone>> deleted = store().delete(REF, Precondition.none(), ALICE);
        Future<StoredObject> late = increment();
        awaitAll(List.of(born, first, replaced, second, deleted, late));

        assertThat(List.of(n(born.result()), n(first.result()), n(replaced.result()), n(second.result())))
                .containsExactly(10L, 11L, 20L, 21L);
        assertThat(((ApiException) late.cause()).code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    }

    @Test
    void update_onManyThreads_losesNoIncrementAndNoVersion() throws InterruptedException {
        int threads = 16;
        int rounds = Scope.rounds(1_000);
        await(store().insert(REF, counter(1)));
        List<List<StoredObject>> images = new ArrayList<>();
        List<Thread> writers = IntStream.range(0, threads)
                .mapToObj(i -> {
                    List<StoredObject> own = new ArrayList<>();
                    images.add(own);
                    return new Thread(() -> incrementOften(rounds, own));
                })
                .toList();

        writers.forEach(Thread::start);
        for (Thread writer : writers) {
            writer.join();
        }

        List<StoredObject> all = images.stream().flatMap(List::stream).toList();
        assertThat(all.stream().map(StoredObject::version).sorted())
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(2, threads * rounds + 1).boxed().toList());
        assertThat(all).allSatisfy(image -> assertThat(n(image)).isEqualTo(image.version()));
        assertThat(n(await(store().find(REF)).orElseThrow())).isEqualTo(threads * rounds + 1);
    }

    /** Makes increments, ten concurrently, so that groups of them are committed together. */
    private void incrementOften(int rounds, List<StoredObject> images) {
        for (int round = 0; round < rounds; round += 10) {
            List<Future<StoredObject>> batch =
                    IntStream.range(0, 10).mapToObj(i -> increment()).toList();
            awaitAll(batch);
            batch.forEach(write -> images.add(write.result()));
        }
    }

    private Future<StoredObject> increment() {
        return update(INCREMENT, Precondition.none(), ALICE);
    }

    private Future<StoredObject> update(UpdateFunction updateFunction, Precondition precondition, Principal writer) {
        return store().update(REF, updateFunction, store().schemaEpoch("Todo"), precondition, writer);
    }

    private static long n(StoredObject object) {
        return object.document().getInt64("n").getValue();
    }

    private static BsonDocument counter(long n) {
        return new BsonDocument("n", new BsonInt64(n));
    }
}
