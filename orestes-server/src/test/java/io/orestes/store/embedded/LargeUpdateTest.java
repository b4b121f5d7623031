package io.orestes.store.embedded;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.awaitThat;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Precondition.ExactVersion;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.WriteOutcome;
import io.orestes.store.Batch;
import io.orestes.store.UpdateFunction;
import io.orestes.store.embedded.commit.UpdateMutation;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Long updates delay no others, and have the result of instantaneous ones. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class LargeUpdateTest {

    private static final ObjectRef REF = new ObjectRef("Todo", "a");
    private static final ObjectRef OTHER = new ObjectRef("Todo", "b");
    private static final int LARGE = 2 * UpdateMutation.MAX_UNPREPARED_BYTES;
    private static final int MEGABYTE = 1 << 20;

    private static final UpdateFunction INCREMENT = (stored, at) ->
            stored.clone().append("n", new BsonInt64(stored.getInt64("n").getValue() + 1));

    @RegisterExtension
    static final StoreFixture FIXTURE = new StoreFixture();

    private final CountDownLatch isAtIt = new CountDownLatch(1);
    private final CountDownLatch mayGoOn = new CountDownLatch(1);
    private EmbeddedObjectStore store;

    @BeforeEach
    void open() {
        store = FIXTURE.open();
    }

    @AfterEach
    void goOn() {
        mayGoOn.countDown();
    }

    @Test
    void update_thatIsPrepared_delaysNoOtherWrite() throws InterruptedException {
        await(store.insert(REF, fields(1, LARGE)));
        Future<StoredObject> updated = update(waiting());
        isAtIt.await();

        assertThat(await(store.insert(OTHER, fields(1, 1))).version()).isEqualTo(1);
        assertThat(updated.isComplete()).isFalse();

        mayGoOn.countDown();
        assertThat(n(await(updated))).isEqualTo(2);
        assertThat(await(store.find(REF))).contains(updated.result());
    }

    @Test
    void commit_ofManyUpdates_delaysNoOtherWrite() throws InterruptedException {
        List<Batch.StoreOperation> writes = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ObjectRef ref = new ObjectRef("Todo", "part" + i);
            await(store.insert(ref, fields(1, UpdateMutation.MAX_UNPREPARED_BYTES / 2)));
            writes.add(revision(ref, i == 4 ? waiting() : INCREMENT));
        }
        Future<List<WriteOutcome>> committed = store.commit(new Batch(List.of(), writes, Principal.SERVER));
        isAtIt.await();

        assertThat(await(store.insert(OTHER, fields(1, 1))).version()).isEqualTo(1);
        assertThat(committed.isComplete()).isFalse();

        mayGoOn.countDown();
        assertThat(await(committed)).hasSize(5).allSatisfy(after -> assertThat(n((StoredObject) after))
                .isEqualTo(2));
    }

    @Test
    void update_anotherStateIsThereMeanwhile_isMadeToThat() throws InterruptedException {
        await(store.insert(REF, fields(1, LARGE)));
        Future<StoredObject> updated = update(waiting());
        isAtIt.await();
        await(store.replace(REF, fields(20, LARGE), Precondition.none(), Principal.SERVER));

        mayGoOn.countDown();

        assertThat(n(await(updated))).isEqualTo(21);
        assertThat(updated.result().version()).isEqualTo(3);
    }

    /** The new object has the same version again. */
    @Test
    void update_objectIsDeletedAndMadeAnewMeanwhile_isMadeToThat() throws InterruptedException {
        await(store.insert(REF, fields(1, LARGE)));
        Future<StoredObject> updated = update(waiting());
        isAtIt.await();
        assertThat(await(store.delete(REF, Precondition.none(), Principal.SERVER)))
                .isPresent();
        StoredObject second = await(store.insert(REF, fields(20, 1)));

        mayGoOn.countDown();

        assertThat(n(await(updated))).isEqualTo(21);
        assertThat(updated.result().createdAt()).isEqualTo(second.createdAt());
    }

    @Test
    void update_conditionDoesNotHoldAnyMore_isOutOfDate() throws InterruptedException {
        await(store.insert(REF, fields(1, LARGE)));
        Future<StoredObject> updated =
                store.update(REF, waiting(), store.schemaEpoch("Todo"), new ExactVersion(1), Principal.SERVER);
        isAtIt.await();
        await(store.replace(REF, fields(20, LARGE), Precondition.none(), Principal.SERVER));

        mayGoOn.countDown();

        assertThat(failureOf(updated).code()).isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);
        assertThat(n(await(store.find(REF)).orElseThrow())).isEqualTo(20);
    }

    @Test
    void update_manyAtOnce_losesNone() {
        await(store.insert(REF, fields(1, LARGE)));

        List<Future<StoredObject>> updates =
                IntStream.range(0, 100).mapToObj(i -> update(INCREMENT)).toList();
        awaitAll(updates);

        assertThat(updates.stream().map(updated -> n(updated.result())).sorted())
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(2, 101).boxed().toList());
        assertThat(updates)
                .allSatisfy(updated -> assertThat(updated.result().version()).isEqualTo(n(updated.result())));
    }

    @Test
    void update_thatFails_returnsTheReasonAndChangesNothing() {
        StoredObject first = await(store.insert(REF, fields(1, LARGE)));
        UpdateFunction failing = (stored, at) -> {
            throw new ApiException(ErrorCode.BAD_REQUEST, "refused");
        };

        assertThat(failureOf(update(failing)).message()).isEqualTo("refused");

        assertThat(await(store.find(REF))).contains(first);
        assertThat(n(await(update(INCREMENT)))).isEqualTo(2);
    }

    /** Otherwise it would block all others of its kind. */
    @Test
    void update_conflictsRepeatedly_isGivenUp() {
        await(store.insert(REF, fields(1, LARGE)));
        UpdateFunction overtaken = (stored, at) -> {
            await(store.replace(REF, fields(7, LARGE), Precondition.none(), Principal.SERVER));
            return stored;
        };

        assertThat(failureOf(update(overtaken)).code()).isEqualTo(ErrorCode.UNAVAILABLE);

        assertThat(n(await(update(INCREMENT)))).isEqualTo(8);
    }

    @Test
    void commit_updatesObjectsOfMoreThan32Megabytes_isRefusedAsAWhole() {
        List<Batch.StoreOperation> writes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ObjectRef ref = new ObjectRef("Todo", "part" + i);
            await(store.insert(ref, fields(1, 11 * MEGABYTE)));
            writes.add(revision(ref, INCREMENT));
        }
        writes.add(0, new Batch.InsertOperation(OTHER, fields(1, 1), store.schemaEpoch("Todo")));

        assertThat(failureOf(store.commit(new Batch(List.of(), writes, Principal.SERVER)))
                        .code())
                .isEqualTo(ErrorCode.PAYLOAD_TOO_LARGE);

        assertThat(await(store.find(OTHER))).isEmpty();
        assertThat(await(store.commit(new Batch(List.of(), writes.subList(0, 3), Principal.SERVER))))
                .hasSize(3);
    }

    /**
     * The committer may receive the close or the prepared update first. A response is true in both
     * cases.
     */
    @Test
    void close_whileAnUpdateIsWorkedOut_answersAllAsItIsStored() throws InterruptedException {
        await(store.insert(REF, fields(1, LARGE)));
        List<Future<StoredObject>> updates = List.of(update(waiting()), update(INCREMENT));
        isAtIt.await();
        Future<Void> closed = store.close();
        awaitRefusal();
        mayGoOn.countDown();

        await(closed);

        awaitAll(updates);
        assertThat(updates).filteredOn(Future::failed).allSatisfy(updateFunction -> assertThat(
                        failureOf(updateFunction).code())
                .isEqualTo(ErrorCode.UNAVAILABLE));
        long done = updates.stream().filter(Future::succeeded).count();
        assertThat(n(await(FIXTURE.open().find(REF)).orElseThrow())).isEqualTo(1 + done);
    }

    /** Waits until the store refuses writes; it closes on a thread of its own. */
    private void awaitRefusal() {
        awaitThat(
                () -> store.delete(OTHER, Precondition.none(), Principal.SERVER).failed());
    }

    /** Returns an increment that signals its call, and waits for its release. */
    private UpdateFunction waiting() {
        return (stored, at) -> {
            isAtIt.countDown();
            try {
                assertThat(mayGoOn.await(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return INCREMENT.apply(stored, at);
        };
    }

    private Future<StoredObject> update(UpdateFunction updateFunction) {
        return store.update(REF, updateFunction, store.schemaEpoch("Todo"), Precondition.none(), Principal.SERVER);
    }

    private Batch.StoreOperation revision(ObjectRef ref, UpdateFunction updateFunction) {
        return new Batch.UpdateOperation(ref, updateFunction, store.schemaEpoch("Todo"), Precondition.none());
    }

    private static BsonDocument fields(long n, int bytes) {
        return new BsonDocument("n", new BsonInt64(n)).append("text", new BsonString("x".repeat(bytes)));
    }

    private static long n(StoredObject object) {
        return object.document().getInt64("n").getValue();
    }
}
