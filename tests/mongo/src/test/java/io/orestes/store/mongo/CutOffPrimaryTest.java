package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.mongo.FailingServerRequests.n;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.WriteOutcome;
import io.orestes.store.Batch;
import io.orestes.store.IndexSpec;
import io.orestes.store.mongo.driver.MongoConfig;
import io.orestes.support.mongo.ReplicaSet;
import io.orestes.support.process.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Writes that conflict with states of a primary which reaches no majority. Those states are lost
 * with the failover, so no write may be answered by them.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class CutOffPrimaryTest {

    private static final Duration DEADLINE = Duration.ofSeconds(4);
    private static final IndexSpec UNIQUE = IndexSpec.ascending("unique").asUnique();
    private static final Precondition FIRST = new Precondition.ExactVersion(1);
    private static final Principal ALICE = new Principal(Set.of("/db/User/alice"), false);

    private final Vertx vertx = Vertx.vertx();
    private final List<MongoObjectStore> opened = new ArrayList<>();
    private final ReplicaSet set = ReplicaSet.start();

    /** Creates the objects, so that no other store has their states cached. */
    private final MongoObjectStore author = open();

    private final MongoObjectStore store = open();

    private MongoObjectStore open() {
        MongoConfig config = MongoConfig.at(set.address()).withResponseTimeout(DEADLINE);
        MongoObjectStore one = await(MongoObjectStore.openUnprobed(vertx, config, InstantSource.system()));
        one.join(bucket -> Future.succeededFuture());
        opened.add(one);
        return one;
    }

    @BeforeEach
    void prepare() {
        await(author.createIndex("Item", UNIQUE));
        await(store.reloadIndexes("Item"));
        for (String id : List.of("updated", "replaced", "forbidden", "deleted", "first", "second", "third")) {
            await(author.insert(item(id), n(1)));
        }
        await(author.insert(new ObjectRef("Emptied", "a"), n(1)));
    }

    @AfterEach
    void stop() {
        opened.forEach(one -> await(one.close()));
        set.close();
        await(vertx.close());
    }

    @Test
    void writes_primaryHasStatesWithoutAMajority_areUnavailableAndDoneAfterTheFailover() {
        List<BsonDocument> insertions = List.of(
                inserted("inserted", n(1)), inserted("rival", place(1)), inserted("rival of a batch", place(2)));
        set.stopReplication();
        MongoCollection<BsonDocument> items = of("Item");
        items.insertMany(insertions);
        items.deleteMany(ids("updated", "deleted", "third"));
        items.updateMany(ids("replaced", "first"), Updates.inc("version", 1L));
        items.updateOne(ids("forbidden"), Updates.set("acl", BsonDocument.parse("{write: {'/db/User/bob': 'allow'}}")));
        of("Emptied").deleteMany(new BsonDocument());

        Map<String, Future<?>> refused = write();

        assertThat(refused).allSatisfy((write, answer) -> FailingServerRequests.assertUnavailable(answer.cause()));

        set.failOver();
        Waiting.until("the member can be reached", this::isReachable);
        Map<String, Future<?>> done = write();

        assertThat(done)
                .allSatisfy((write, answer) -> assertThat(answer.cause()).isNull());
        assertThat(await(store.find(item("inserted"))).orElseThrow().document()).containsEntry("n", new BsonInt32(2));
        assertThat(result(done, "deletion")).isNotEqualTo(Optional.empty());
        assertThat(result(done, "deletion in a batch")).asInstanceOf(LIST).hasSize(1);
        assertThat(await(store.scan("Emptied", "", 1))).isEmpty();
    }

    /** A document as a primary has it that is cut off before the insertion reaches a majority. */
    private BsonDocument inserted(String id, BsonDocument fields) {
        await(author.insert(item(id), fields));
        BsonDocument document = Objects.requireNonNull(
                of("Item").find(Filters.eq(item(id).id())).first());
        await(author.delete(item(id), Precondition.none(), Principal.SERVER));
        return document;
    }

    private static Bson ids(String... ids) {
        return Filters.in("_id", Stream.of(ids).map(id -> item(id).id()).toList());
    }

    /** Accesses the primary without the other members. */
    private MongoCollection<BsonDocument> of(String bucket) {
        return set.primary()
                .database()
                .getCollection(bucket, BsonDocument.class)
                .withWriteConcern(WriteConcern.W1);
    }

    private static Object result(Map<String, Future<?>> answers, String write) {
        return await(Objects.requireNonNull(answers.get(write)));
    }

    private boolean isReachable() {
        Future<?> read = store.find(item("first"));
        awaitAll(List.of(read));
        return read.succeeded();
    }

    /** Sends all writes at once, each for objects of its own. */
    private Map<String, Future<?>> write() {
        Map<String, Future<?>> writes = new LinkedHashMap<>();
        writes.put(
                "update",
                store.update(
                        item("updated"), (stored, at) -> n(2), store.schemaEpoch("Item"), Precondition.none(), ALICE));
        writes.put("replacement", store.replace(item("replaced"), n(2), FIRST, ALICE));
        writes.put("permission", store.replace(item("forbidden"), n(2), Precondition.none(), ALICE));
        writes.put("deletion", store.delete(item("deleted"), Precondition.none(), ALICE));
        writes.put("insertion", insert("inserted", n(2)));
        writes.put("place", insert("unique", place(1)));
        writes.put("batch", commit(replacement("first"), replacement("second")));
        writes.put(
                "deletion in a batch",
                commit(new Batch.DeleteOperation(item("third"), store.schemaEpoch("Item"), Precondition.none())));
        writes.put("place in a batch", commit(insertion("fourth", n(1)), insertion("unique in a batch", place(2))));
        writes.put("truncation", store.truncate("Emptied", gone -> {}));
        awaitAll(List.copyOf(writes.values()));
        return writes;
    }

    /**
     * Inserts an object unless that was done before: MongoDB waits for a majority before it refuses
     * an insertion, so the driver sends that one again after the failover.
     */
    private Future<?> insert(String id, BsonDocument fields) {
        return store.insert(item(id), fields)
                .recover(failure -> ApiException.of(failure).code() == ErrorCode.OBJECT_EXISTS
                        ? store.find(item(id)).map(Optional::orElseThrow)
                        : Future.failedFuture(failure));
    }

    private Future<List<WriteOutcome>> commit(Batch.StoreOperation... writes) {
        return store.commit(new Batch(List.of(), List.of(writes), ALICE));
    }

    private Batch.StoreOperation replacement(String id) {
        return new Batch.ReplaceOperation(item(id), n(2), store.schemaEpoch("Item"), FIRST);
    }

    private Batch.StoreOperation insertion(String id, BsonDocument fields) {
        return new Batch.InsertOperation(item(id), fields, store.schemaEpoch("Item"));
    }

    private static ObjectRef item(String id) {
        return new ObjectRef("Item", id);
    }

    private static BsonDocument place(int number) {
        return new BsonDocument("unique", new BsonInt32(number));
    }
}
