package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Outcome;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.store.Batch;
import io.orestes.support.process.Waiting;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server that tells nobody of changes, and whose answers to writes do not come: what became of the objects is told when it answers again. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class DoubtfulWritesTest {

    private static final ObjectRef A = new ObjectRef("Item", "a");
    private static final Duration DEADLINE = Duration.ofSeconds(3);

    @RegisterExtension
    static final MongoFixture FIXTURE = MongoFixture.of(Deployment.STANDALONE);

    private final List<Outcome> published = new CopyOnWriteArrayList<>();
    private final List<String> missed = new CopyOnWriteArrayList<>();
    private MongoObjectStore store;

    @BeforeEach
    void open() {
        MongoConfig config = MongoConfig.at(FIXTURE.mongod().address()).withAnswerWithin(DEADLINE);
        store = FIXTURE.open(config, InstantSource.system());
        store.announce(
                outcome -> {
                    published.add(outcome);
                    return Future.succeededFuture();
                },
                bucket -> {
                    missed.add(bucket);
                    return Future.succeededFuture();
                });
    }

    @AfterEach
    void release() {
        answer();
        FIXTURE.mongod().failNoCommands();
    }

    @Test
    void replacement_doneWithoutAnAnswer_isToldAsItIs() {
        await(store.insert(A, n(1)));
        withhold("findAndModify");

        assertUnavailable(replace(2));
        assertThat(store.isInDoubt()).isTrue();
        answer();

        Waiting.until("a listener is called", () -> !published.isEmpty());
        StoredObject state = await(store.find(A)).orElseThrow();
        assertThat(state.version()).isEqualTo(2);
        assertThat(number(state)).isEqualTo(2);
        assertThat(published).containsExactly(state);
        Waiting.until("no write is in doubt", () -> !store.isInDoubt());
    }

    /** The object has the next version by then, which is not the one that the write was to replace. */
    @Test
    void replacement_comesLate_doesNotFindWhatItWasToReplace() {
        await(store.insert(A, n(1)));
        delay("findAndModify", 1);

        assertUnavailable(replace(2));

        Waiting.until("a listener is called", () -> !published.isEmpty());
        StoredObject state = await(store.find(A)).orElseThrow();
        assertThat(state.version()).isEqualTo(2);
        assertThat(number(state)).isEqualTo(1);
        assertThat(published).containsExactly(state);
        Waiting.pause(Duration.ofSeconds(6));
        assertThat(await(store.find(A))).contains(state);
    }

    @Test
    void insertion_comesLate_isToldWhenItIsThere() {
        await(store.insert(new ObjectRef("Item", "other"), n(1)));
        delay("findAndModify", 1);

        assertUnavailable(store.insert(A, n(1)));

        Waiting.pause(Duration.ofSeconds(3));
        assertThat(published).isEmpty();
        Waiting.until("a listener is called", () -> !published.isEmpty());
        assertThat(Optional.of(published.get(0))).isEqualTo(await(store.find(A)));
        Waiting.until("no write is in doubt", () -> !store.isInDoubt());
    }

    @Test
    void deletion_doneWithoutAnAnswer_isTold() {
        await(store.insert(A, n(1)));
        withhold("findAndModify");

        assertUnavailable(store.delete(A, Precondition.none(), Principal.SERVER));
        answer();

        Waiting.until("a listener is called", () -> !published.isEmpty());
        assertThat(published).hasOnlyElementsOfType(Tombstone.class);
        assertThat(published.get(0).ref()).isEqualTo(A);
    }

    /** Copies of the life before would be taken for current if the next one were told alone. */
    @Test
    void deletion_doneWithoutAnAnswerAndBegunAnew_bothAreTold() {
        await(store.insert(A, n(1)));
        MongoCollection<BsonDocument> raw = FIXTURE.mongod().database().getCollection("Item", BsonDocument.class);
        BsonDocument state = Objects.requireNonNull(raw.find().first());
        withhold("findAndModify");
        Future<?> deletion = store.delete(A, Precondition.none(), Principal.SERVER);
        Waiting.until("the document is deleted", () -> raw.countDocuments() == 0);
        BsonDateTime later = new BsonDateTime(state.getDateTime("createdAt").getValue() + 1_000);
        raw.insertOne(state.append("createdAt", later).append("updatedAt", later));
        assertUnavailable(deletion);
        answer();

        Waiting.until("the listener is called twice", () -> published.size() == 2);

        assertThat(published.get(0)).isInstanceOf(Tombstone.class);
        assertThat(Optional.of(published.get(1))).isEqualTo(await(store.find(A)));
    }

    @Test
    void writesTogether_doneWithoutAnAnswer_areAllTold() {
        withhold("insert");

        List<Future<StoredObject>> writes = IntStream.range(0, 50)
                .mapToObj(i -> store.insert(new ObjectRef("Item", "t" + i), n(i)))
                .toList();
        awaitAll(writes);
        answer();

        // the first may have gone alone, by another command
        long unanswered = writes.stream().filter(Future::failed).count();
        assertThat(unanswered).isGreaterThan(1);
        Waiting.until("the listener is called for each write", () -> published.size() == unanswered);
    }

    @Test
    void commitOfOneObject_doneWithoutAnAnswer_isTold() {
        await(store.insert(A, n(1)));
        withhold("findAndModify");

        assertUnavailable(store.commit(new Batch(
                List.of(),
                List.of(new Batch.Replacement(A, n(2), store.form("Item"), Precondition.none())),
                Principal.SERVER)));
        answer();

        Waiting.until("a listener is called", () -> !published.isEmpty());
        assertThat(number((StoredObject) published.get(0))).isEqualTo(2);
    }

    @Test
    void truncation_doneWithoutAnAnswer_isTold() {
        await(store.insert(A, n(1)));
        withhold("delete");

        assertUnavailable(store.truncate("Item", gone -> {}));
        answer();

        Waiting.until("a listener is called", () -> !published.isEmpty());
        assertThat(published).hasOnlyElementsOfType(Tombstone.class);
    }

    @Test
    void writes_thatAreRefused_areInNoDoubt() {
        await(store.insert(A, n(1)));

        assertThat(failureOf(store.insert(A, n(2))).code()).isEqualTo(ErrorCode.OBJECT_EXISTS);
        assertThat(failureOf(store.replace(A, n(2), new Precondition.ExactVersion(7), Principal.SERVER))
                        .code())
                .isEqualTo(ErrorCode.OBJECT_OUT_OF_DATE);

        assertThat(store.isInDoubt()).isFalse();
    }

    @Test
    void writes_moreThanAreRemembered_theirClassCountsAsChanged() {
        await(store.insert(A, n(1)));
        delay("insert", 1_000);

        List<Future<StoredObject>> writes = IntStream.range(0, DoubtfulWrites.MOST + 2_000)
                .mapToObj(i -> store.insert(new ObjectRef("Item", "m" + i), n(i)))
                .toList();
        awaitAll(writes);

        assertThat(writes.stream().filter(Future::failed).count()).isGreaterThan(DoubtfulWrites.MOST);
        Waiting.until("the class is reported", () -> missed.contains("Item"));
        assertThat(missed).containsOnly("Item");
    }

    private static void assertUnavailable(Future<?> write) {
        assertThat(failureOf(write).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    }

    private Future<StoredObject> replace(int number) {
        return store.replace(A, n(number), Precondition.none(), Principal.SERVER);
    }

    /** Commands are done and not answered. */
    private static void withhold(String command) {
        FIXTURE.mongod()
                .command("{configureFailPoint: 'waitAfterCommandFinishesExecution', mode: 'alwaysOn',"
                        + " data: {ns: 'test.Item', commands: ['" + command + "']}}");
    }

    private static void answer() {
        FIXTURE.mongod().command("{configureFailPoint: 'waitAfterCommandFinishesExecution', mode: 'off'}");
    }

    /** The next commands are done only when nobody waits for them any more. */
    private static void delay(String command, int times) {
        FIXTURE.mongod()
                .failCommands(
                        "{times: " + times + "}",
                        "{failCommands: ['" + command
                                + "'], namespace: 'test.Item', blockConnection: true, blockTimeMS: 9000}");
    }

    private static int number(StoredObject object) {
        return object.document().getInt32("n").getValue();
    }

    private static BsonDocument n(int number) {
        return new BsonDocument("n", new BsonInt32(number));
    }
}
