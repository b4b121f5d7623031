package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.mongo.FailingServerRequests.n;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.store.Batch;
import io.orestes.store.IndexSpec;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A write that changes nothing costs one linearizable read, and any other none. */
final class UnchangedWriteConfirmationTest {

    private static final ObjectRef A = new ObjectRef("Item", "a");
    private static final ObjectRef B = new ObjectRef("Item", "b");
    private static final ObjectRef NOBODY = new ObjectRef("Item", "nobody");
    private static final Precondition STALE = new Precondition.ExactVersion(7);
    private static final Principal ALICE = new Principal(Set.of("/db/User/alice"), false);
    private static final BsonDocument OF_BOB = BsonDocument.parse("{n: 1, acl: {write: {'/db/User/bob': 'allow'}}}");
    private static final BsonDocument TAKEN = BsonDocument.parse("{unique: 1}");

    @RegisterExtension
    static final MongoFixture FIXTURE = MongoFixture.of(Deployment.QUICK_REPLICA_SET);

    private MongoObjectStore store;

    @BeforeEach
    void prepare() {
        store = FIXTURE.open();
        await(store.createIndex("Item", IndexSpec.ascending("unique").asUnique()));
        await(store.insert(A, OF_BOB));
        await(store.insert(B, TAKEN));
    }

    /** A write of the store. */
    private interface Write extends Function<MongoObjectStore, Future<?>> {}

    static Stream<Arguments> refusals() {
        return Stream.of(
                refusal("an update of what is not there", ErrorCode.OBJECT_NOT_FOUND, store -> update(store, NOBODY)),
                refusal("an insertion of what is there", ErrorCode.OBJECT_EXISTS, store -> store.insert(A, n(1))),
                refusal(
                        "a replacement of another state",
                        ErrorCode.OBJECT_OUT_OF_DATE,
                        store -> store.replace(B, n(1), STALE, ALICE)),
                refusal(
                        "a deletion of another state",
                        ErrorCode.OBJECT_OUT_OF_DATE,
                        store -> store.delete(NOBODY, STALE, ALICE)),
                refusal("a write of what is not one's own", ErrorCode.PERMISSION_DENIED, store -> update(store, A)),
                refusal(
                        "a place of another object",
                        ErrorCode.UNIQUE_INDEX_EXCEPTION,
                        store -> store.insert(NOBODY, TAKEN)),
                refusal(
                        "a batch with another state",
                        ErrorCode.OBJECT_OUT_OF_DATE,
                        store ->
                                commit(store, deletion(store, B, Precondition.none()), deletion(store, NOBODY, STALE))),
                refusal(
                        "a batch with a place of another object",
                        ErrorCode.UNIQUE_INDEX_EXCEPTION,
                        store -> commit(store, insertion(store, "c", n(1)), insertion(store, "d", TAKEN))));
    }

    private static Arguments refusal(String what, ErrorCode code, Write write) {
        return arguments(what, code, write);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refusals")
    void write_isRefused_byOneReadMore(String what, ErrorCode code, Write write) {
        List<Future<?>> refused = new ArrayList<>();

        assertThat(linearizableReads(() -> refused.add(write.apply(store)), refused))
                .isEqualTo(1);

        assertThat(refused.get(0).cause())
                .isInstanceOfSatisfying(ApiException.class, refusal -> assertThat(refusal.code())
                        .isEqualTo(code));
    }

    static Stream<Arguments> deletions() {
        return Stream.of(
                arguments("a deletion", (Write) store -> store.delete(NOBODY, Precondition.none(), ALICE)),
                arguments("a batch", (Write) store -> commit(store, deletion(store, NOBODY, Precondition.none()))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("deletions")
    void delete_absentObject_costsOneMoreRead(String what, Write deletion) {
        List<Future<?>> done = new ArrayList<>();

        assertThat(linearizableReads(() -> done.add(deletion.apply(store)), done))
                .isEqualTo(1);

        assertThat(done.get(0).succeeded()).isTrue();
    }

    /** A batch with a unique value twice is refused without a read, whoever has the value. */
    @Test
    void batch_twoObjectsHaveOneUniqueValue_isRefusedWithoutARead() {
        BsonDocument same = new BsonDocument("unique", new BsonString("same"));
        List<Future<?>> refused = new ArrayList<>();

        assertThat(linearizableReads(
                        () -> refused.add(commit(store, insertion(store, "c", same), insertion(store, "d", same))),
                        refused))
                .isZero();

        assertThat(refused.get(0).cause())
                .isInstanceOfSatisfying(ApiException.class, refusal -> assertThat(refusal.code())
                        .isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION));
    }

    @Test
    void refusals_atOneMoment_shareARead() {
        List<Future<?>> refused = new ArrayList<>();

        long reads = linearizableReads(
                () -> IntStream.range(0, 100)
                        .forEach(
                                i -> refused.add(store.replace(new ObjectRef("Item", "none" + i), n(1), STALE, ALICE))),
                refused);

        assertThat(reads).isBetween(1L, 10L);
    }

    @Test
    void writes_withChanges_costNoRead() {
        List<Future<?>> done = new ArrayList<>();

        long reads = linearizableReads(
                () -> {
                    done.add(store.insert(new ObjectRef("Item", "c"), n(1)));
                    done.add(update(store, B));
                    done.add(store.delete(A, Precondition.none(), Principal.SERVER));
                    done.add(commit(store, insertion(store, "d", n(1)), insertion(store, "e", n(1))));
                },
                done);

        assertThat(done).allSatisfy(write -> assertThat(write.cause()).isNull());
        assertThat(reads).isZero();
    }

    private static long linearizableReads(Runnable begin, List<Future<?>> begun) {
        return FIXTURE
                .mongod()
                .finds(() -> {
                    begin.run();
                    awaitAll(begun);
                })
                .stream()
                .filter(find -> find.getDocument("readConcern", new BsonDocument())
                        .get("level", new BsonString("local"))
                        .equals(new BsonString("linearizable")))
                .count();
    }

    private static Future<?> update(MongoObjectStore store, ObjectRef ref) {
        return store.update(ref, (stored, at) -> n(2), store.schemaEpoch("Item"), Precondition.none(), ALICE);
    }

    private static Future<?> commit(MongoObjectStore store, Batch.StoreOperation... writes) {
        return store.commit(new Batch(List.of(), List.of(writes), ALICE));
    }

    private static Batch.StoreOperation deletion(MongoObjectStore store, ObjectRef ref, Precondition precondition) {
        return new Batch.DeleteOperation(ref, store.schemaEpoch("Item"), precondition);
    }

    private static Batch.StoreOperation insertion(MongoObjectStore store, String id, BsonDocument fields) {
        return new Batch.InsertOperation(new ObjectRef("Item", id), fields, store.schemaEpoch("Item"));
    }
}
