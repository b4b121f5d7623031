package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.Filter;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.store.Batch;
import io.orestes.support.process.Waiting;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What MongoDB gets of a process whose lease is over it does not do, however long it was on its way. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class FenceTest {

    private static final ObjectRef A = new ObjectRef("Item", "a");
    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final int HELD_UP_MILLIS = 2_500;

    @RegisterExtension
    static final MongoFixture FIXTURE = MongoFixture.of(Deployment.STANDALONE);

    private MongoObjectStore store;
    private volatile boolean isRenewed = true;
    private volatile long endNanos;

    @BeforeEach
    void open() {
        store = FIXTURE.openAsServersDo(
                MongoConfig.at(FIXTURE.mongod().address()).shared());
        store.join(bucket -> Future.succeededFuture());
        await(store.fence(() -> Optional.of(leaseLeft())));
        await(store.insert(A, n(1)));
    }

    private Duration leaseLeft() {
        return isRenewed ? LEASE : Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
    }

    /** From now on the lease only runs out. */
    private void loseTouch() {
        endNanos = System.nanoTime() + LEASE.toNanos();
        isRenewed = false;
    }

    @Test
    void open_genuineMongo_refusesWhatIsLate() {
        assertThat(store.refusesLateWrites()).isTrue();
        assertThat(store.missing()).noneMatch(lack -> lack.contains("$$NOW"));
    }

    @Test
    void replacement_comesAfterTheLease_isRefused() {
        holdUp("findAndModify");
        loseTouch();

        assertRefused(replace(2));

        assertThat(await(store.find(A)).orElseThrow().version()).isEqualTo(1);
    }

    @Test
    void deletion_comesAfterTheLease_isRefused() {
        holdUp("findAndModify");
        loseTouch();

        assertRefused(store.delete(A, Precondition.none(), Principal.SERVER));

        assertThat(await(store.find(A))).isPresent();
    }

    @Test
    void insertion_comesAfterTheLease_isRefused() {
        ObjectRef other = new ObjectRef("Item", "b");
        holdUp("findAndModify");
        loseTouch();

        assertRefused(store.insert(other, n(1)));

        assertThat(await(store.find(other))).isEmpty();
    }

    @Test
    void insertionsTogether_comeAfterTheLease_areRefused() {
        // how many commands they are nobody says
        holdUp("'alwaysOn'", "findAndModify', 'update");
        loseTouch();

        List<Future<StoredObject>> writes = IntStream.range(0, 50)
                .mapToObj(i -> store.insert(new ObjectRef("Item", "t" + i), n(i)))
                .toList();
        awaitAll(writes);

        assertThat(writes).allSatisfy(this::assertRefused);
        assertThat(await(store.count("Item", Filter.ALL))).isEqualTo(1);
    }

    @Test
    void replacementsTogether_comeAfterTheLease_areRefused() {
        List<ObjectRef> refs = IntStream.range(0, 50)
                .mapToObj(i -> new ObjectRef("Item", "t" + i))
                .toList();
        refs.forEach(ref -> await(store.insert(ref, n(1))));
        // how many commands they are nobody says
        holdUp("'alwaysOn'", "findAndModify', 'update");
        loseTouch();

        List<Future<StoredObject>> writes = refs.stream()
                .map(ref -> store.replace(ref, n(2), Precondition.none(), Principal.SERVER))
                .toList();
        awaitAll(writes);

        assertThat(writes).allSatisfy(this::assertRefused);
        assertThat(await(store.count("Item", Filter.parse(BsonDocument.parse("{n: 2}")))))
                .isZero();
    }

    /** Each round would take nothing away, and be followed by another one. */
    @Test
    void truncation_leaseIsOver_isNotTriedForEver() {
        loseTouch();
        Waiting.pause(LEASE.plusMillis(100));

        assertRefused(store.truncate("Item", store.form("Item"), gone -> {}));

        assertThat(await(store.find(A))).isPresent();
    }

    @Test
    void commitOfOneObject_comesAfterTheLease_isRefused() {
        holdUp("findAndModify");
        loseTouch();

        assertRefused(store.commit(new Batch(
                List.of(),
                List.of(new Batch.Replacement(A, n(2), store.form("Item"), Precondition.none())),
                Principal.SERVER)));

        assertThat(await(store.find(A)).orElseThrow().version()).isEqualTo(1);
    }

    /** Whoever goes on being a member only had a slow store. */
    @Test
    void writes_comeLateButTheLeaseRuns_areDoneOnce() {
        ObjectRef other = new ObjectRef("Item", "b");
        holdUp("findAndModify");
        assertThat(await(replace(2)).version()).isEqualTo(2);
        holdUp("findAndModify");
        assertThat(await(store.insert(other, n(1))).version()).isEqualTo(1);

        assertThat(await(store.find(A)).orElseThrow().version()).isEqualTo(2);
    }

    @Test
    void write_leaseIsOver_isNotSent() {
        loseTouch();
        Waiting.pause(LEASE.plusMillis(100));
        long before = FIXTURE.mongod().commands("findAndModify");

        assertRefused(replace(2));

        assertThat(FIXTURE.mongod().commands("findAndModify")).isEqualTo(before);
    }

    /** Of what servers keep for themselves nobody has a copy, and log-ins go on without the group. */
    @Test
    void write_ofWhatNobodyRemembers_needsNoLease() {
        loseTouch();
        Waiting.pause(LEASE.plusMillis(100));

        assertThat(await(store.insert(new ObjectRef("_own", "a"), n(1))).version())
                .isEqualTo(1);
    }

    /** A first state is told to MongoDB as part of an expression, which must not take it for one. */
    @Test
    void insertion_looksLikeAnExpression_isStoredAsItIs() {
        BsonDocument fields = BsonDocument.parse(
                "{a: '$n', b: '$$NOW', c: ['$_id', {'d.e': {$numberDecimal: '1.50'}}], f: {g: {$numberLong: '7'}}}");
        ObjectRef other = new ObjectRef("Item", "b");

        await(store.insert(other, fields));

        BsonDocument stored = await(store.find(other)).orElseThrow().document();
        assertThat(fields)
                .allSatisfy((name, value) -> assertThat(stored.get(name)).isEqualTo(value));
    }

    @Test
    void fence_serverIsAlone_refusesNothing() {
        MongoObjectStore alone =
                FIXTURE.openAsServersDo(MongoConfig.at(FIXTURE.mongod().address()));

        await(alone.fence(() -> Optional.of(Duration.ZERO)));

        assertThat(alone.refusesLateWrites()).isFalse();
        assertThat(await(alone.replace(A, n(2), Precondition.none(), Principal.SERVER))
                        .version())
                .isEqualTo(2);
    }

    private Future<StoredObject> replace(int number) {
        return store.replace(A, n(number), Precondition.none(), Principal.SERVER);
    }

    private void assertRefused(Future<?> write) {
        assertThat(failureOf(write).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(store.isInDoubt()).as("it is certain that it is not done").isFalse();
    }

    /** The next such command on the class waits before it begins. */
    private static void holdUp(String command) {
        holdUp("{times: 1}", command);
    }

    private static void holdUp(String mode, String commands) {
        FIXTURE.mongod()
                .failCommands(
                        mode,
                        "{failCommands: ['" + commands
                                + "'], namespace: 'test.Item', blockConnection: true, blockTimeMS: " + HELD_UP_MILLIS
                                + "}");
    }

    private static BsonDocument n(int number) {
        return new BsonDocument("n", new BsonInt32(number));
    }
}
