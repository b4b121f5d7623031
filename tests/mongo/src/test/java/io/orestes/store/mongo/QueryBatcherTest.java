package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import io.orestes.async.Loop;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.store.IndexSpec;
import io.orestes.store.StoreQuery;
import io.orestes.store.mongo.driver.MongoConfig;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Queries that arrive at one moment share requests, and each has the result that it would have
 * alone.
 */
final class QueryBatcherTest {

    private static final int MANY = 200;
    private static final int SHELVES = 50;
    private static final int ROUNDS = 20;

    /** Late requests are repeated, so the time outlasts a machine that stands still. */
    private static final Duration BUDGET = Duration.ofMinutes(1);

    /** Values that queries can share a request for. */
    private static final List<String> ASKED_FOR = List.of(
            "1",
            "2",
            "{$numberLong: '2'}",
            "2.0",
            "0.1",
            "0.5",
            "'a'",
            "'b'",
            "true",
            "{$date: '2026-03-01T00:00:00Z'}",
            "{$date: '1969-12-31T23:59:59.999Z'}",
            "{$oid: '65f000000000000000000001'}",
            "{$oid: '65f000000000000000000002'}",
            "null");

    /** Values that equal some of these, or nearly so. */
    private static final List<String> STORED_ONLY = List.of(
            "{$numberDecimal: '2'}",
            "{$numberDecimal: '2.00'}",
            "{$numberDecimal: '0.1'}",
            "{$numberDecimal: '0.5'}",
            "{$timestamp: {t: 1772323200, i: 0}}",
            "'65f000000000000000000001'",
            "{a: 1}",
            "[[1]]",
            "[]");

    @RegisterExtension
    static final MongoFixture FIXTURE = MongoFixture.of(Deployment.QUICK_REPLICA_SET);

    private final CountDownLatch goOn = new CountDownLatch(1);
    private final Promise<StoredObject> write = Promise.promise();
    private MongoObjectStore store;

    @BeforeEach
    void open() {
        store = FIXTURE.open(config(), InstantSource.system());
        await(store.createIndex("Item", IndexSpec.ascending("shelf")));
    }

    private static MongoConfig config() {
        return MongoConfig.at(FIXTURE.mongod().address()).withQueryBudget(BUDGET);
    }

    @Test
    void queries_forDifferentValues_areFewRequests() {
        fill(2 * SHELVES, i -> "{shelf: %d, n: %d}".formatted(i % SHELVES, i));
        MongoObjectStore held = heldByAWrite(new ObjectRef("Other", id(0)));
        long before = finds();

        List<List<StoredObject>> results = inOneTurn(held, i -> query("{shelf: %d}".formatted(i % SHELVES)));

        assertThat(finds() - before).isLessThan(MANY / 4);
        for (int i = 0; i < MANY; i++) {
            int shelf = i % SHELVES;
            assertThat(ids(results.get(i))).containsExactly(id(shelf), id(shelf + SHELVES));
        }
    }

    @Test
    void queries_whoseFieldHasNoIndex_areSentAlone() {
        fill(SHELVES, i -> "{place: %d}".formatted(i));
        long before = finds();

        List<List<StoredObject>> results = inOneGo(i -> query("{place: %d}".formatted(i % SHELVES)));

        assertThat(finds() - before).isEqualTo(MANY);
        assertThat(results).allSatisfy(result -> assertThat(result).hasSize(1));
    }

    @Test
    void queries_withLargeResults_areSentAloneFromThenOn() {
        fill(2_004, i -> "{shelf: %d, n: %d}".formatted(i % 4, i));
        List<List<StoredObject>> first = inOneGo(i -> page("{shelf: %d}".formatted(i % 4), "{n: -1}", 1, 3));
        long before = finds();

        List<List<StoredObject>> second = inOneGo(i -> page("{shelf: %d}".formatted(i % 4), "{n: -1}", 1, 3));

        assertThat(finds() - before).isEqualTo(MANY);
        assertThat(second).isEqualTo(first);
        for (int i = 0; i < MANY; i++) {
            int last = 2_000 + i % 4;
            assertThat(ids(first.get(i))).containsExactly(id(last - 4), id(last - 8), id(last - 12));
        }
    }

    @Test
    void queries_ofLargeObjects_areSentAloneFromThenOn() {
        String text = "x".repeat(200_000);
        fill(60, i -> "{shelf: %d, text: '%s'}".formatted(i, text));
        List<List<StoredObject>> first = inOneGo(i -> query("{shelf: %d}".formatted(i % 60)));
        long before = finds();

        List<List<StoredObject>> second = inOneGo(i -> query("{shelf: %d}".formatted(i % 60)));

        assertThat(finds() - before).isEqualTo(MANY);
        assertThat(second).isEqualTo(first);
        for (int i = 0; i < MANY; i++) {
            assertThat(ids(first.get(i))).containsExactly(id(i % 60));
        }
    }

    @Test
    void queries_refusedByTheServer_eachIsAnswered() {
        fill(SHELVES, i -> "{shelf: %d}".formatted(i));
        String notUnderstood = "{shelf: %d, text: {$regex: '(?<name>a)|b', $options: ''}}";

        List<Future<List<StoredObject>>> some = IntStream.range(0, MANY)
                .mapToObj(i -> store.query(query(i % 2 == 0 ? "{shelf: 7}" : notUnderstood.formatted(i % SHELVES))))
                .toList();
        awaitAll(some);

        for (int i = 0; i < MANY; i++) {
            assertThat(some.get(i).succeeded()).isTrue();
            assertThat(some.get(i).result()).hasSize(i % 2 == 0 ? 1 : 0);
        }
    }

    @Test
    void queries_serverIsUnavailable_allFail() {
        fill(SHELVES, i -> "{shelf: %d}".formatted(i));
        // 91: shutting down; the driver tries each read once more
        FIXTURE.mongod().failCommands("'alwaysOn'", "{failCommands: ['find'], errorCode: 91}");
        List<Future<List<StoredObject>>> asked = IntStream.range(0, MANY)
                .mapToObj(i -> store.query(query("{shelf: %d}".formatted(i % SHELVES))))
                .toList();
        awaitAll(asked);
        FIXTURE.mongod().failNoCommands();

        assertThat(asked).allSatisfy(query -> assertThat(((ApiException) query.cause()).code())
                .isEqualTo(ErrorCode.UNAVAILABLE));
        assertThat(await(store.query(query("{shelf: 1}")))).hasSize(1);
    }

    /** The total of their time counts as well. */
    @Test
    void queries_takeTooLongTogether_areNotRepeatedAfterTheirTimeout() {
        fill(SHELVES, i -> "{shelf: %d}".formatted(i));
        MongoObjectStore hasty = FIXTURE.open(config().withQueryBudget(Duration.ofMillis(200)), InstantSource.system());
        long before = finds();
        // 50: time limit exceeded
        FIXTURE.mongod()
                .failCommands(
                        "'alwaysOn'",
                        "{failCommands: ['find'], errorCode: 50, blockConnection: true, blockTimeMS: 300}");

        List<Future<List<StoredObject>>> asked = IntStream.range(0, MANY)
                .mapToObj(i -> hasty.query(query("{shelf: %d}".formatted(i % SHELVES))))
                .toList();
        awaitAll(asked);

        assertThat(asked).allSatisfy(query -> assertThat(((ApiException) query.cause()).code())
                .isEqualTo(ErrorCode.QUERY_NOT_SUPPORTED));
        assertThat(finds() - before).isLessThan(MANY / 4);
    }

    @Test
    void queries_takeTooLongTogether_areRepeatedAloneInTheRemainingTime() {
        fill(SHELVES, i -> "{shelf: %d}".formatted(i));
        MongoObjectStore held = heldByAWrite();
        FIXTURE.mongod()
                .failCommands(
                        "{times: 1}",
                        "{failCommands: ['find'], namespace: 'test.Item', errorCode: 50, blockConnection: true, "
                                + "blockTimeMS: 500}");

        List<Long> times = FIXTURE.mongod().timesOfFinds(() -> askInOneTurn(held, "{shelf: 1}", "{shelf: 2}"));

        assertThat(times).hasSize(2).allSatisfy(millis -> assertThat(millis).isBetween(1L, BUDGET.toMillis() - 500));
    }

    /** Shared requests get a part of the time, so that enough is left for each alone. */
    @Test
    void queries_together_haveAPartOfTheirTime() {
        fill(SHELVES, i -> "{shelf: %d}".formatted(i));
        MongoObjectStore held = heldByAWrite();

        List<Long> times = FIXTURE.mongod().timesOfFinds(() -> askInOneTurn(held, "{shelf: 1}", "{shelf: 2}"));

        assertThat(times).containsExactly(BUDGET.toMillis() / 4);
    }

    /**
     * A store whose context waits in the middle of a replacement, so that requests queue up and
     * arrive together.
     */
    private MongoObjectStore heldByAWrite() {
        return heldByAWrite(new ObjectRef("Item", id(0)));
    }

    private MongoObjectStore heldByAWrite(ObjectRef ref) {
        CountDownLatch reached = new CountDownLatch(1);
        MongoObjectStore held = FIXTURE.open(config(), () -> {
            reached.countDown();
            awaitHere(goOn);
            return Instant.now();
        });
        held.replace(ref, new BsonDocument(), Precondition.none(), Principal.SERVER)
                .onComplete(write);
        awaitHere(reached);
        return held;
    }

    private void askInOneTurn(MongoObjectStore held, String... filters) {
        List<Future<List<StoredObject>>> asked =
                Stream.of(filters).map(filter -> held.query(query(filter))).toList();
        goOn.countDown();
        await(Future.all(asked));
        assertThat(asked).allSatisfy(answer -> assertThat(answer.result()).hasSize(1));
        await(write.future());
    }

    private static void awaitHere(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * A query that begins after a write was answered is not served by a request that began before,
     * even for an equal query.
     */
    @Test
    void queries_begunAfterAWriteWasAnswered_seeIt() {
        fill(SHELVES, i -> "{shelf: %d, n: 0}".formatted(i));
        long before = finds();

        List<Future<Void>> busy = IntStream.range(0, MANY)
                .mapToObj(i -> i < SHELVES ? writesAndReads(i) : reads(i % SHELVES))
                .toList();
        awaitAll(busy);

        assertThat(busy)
                .allSatisfy(each ->
                        assertThat(each.succeeded()).as("%s", each.cause()).isTrue());
        assertThat(finds() - before).isLessThan(MANY * ROUNDS / 4);
    }

    private Future<Void> writesAndReads(int shelf) {
        int[] round = {0};
        return Loop.whileTrue(() -> store.replace(
                        new ObjectRef("Item", id(shelf)),
                        BsonDocument.parse("{shelf: %d, n: %d}".formatted(shelf, round[0])),
                        Precondition.none(),
                        Principal.SERVER)
                .compose(written -> store.query(query("{shelf: %d}".formatted(shelf)))
                        .map(found -> {
                            assertThat(found).containsExactly(written);
                            return ++round[0] < ROUNDS;
                        })));
    }

    private Future<Void> reads(int shelf) {
        int[] round = {0};
        return Loop.whileTrue(
                () -> store.query(query("{shelf: %d}".formatted(shelf))).map(found -> ++round[0] < ROUNDS));
    }

    /** The result of each query alone is the oracle. */
    @ParameterizedTest(name = "{0}, seed {1}")
    @CsvSource({"shelf, 1", "shelf, 2", "shelf, 3", "place.shelf, 4", "place.shelf, 5", "place.shelf, 6"})
    void queries_random_findTogetherWhatEachFindsAlone(String path, long seed) {
        await(store.createIndex("Item", IndexSpec.ascending(path)));
        Random random = new Random(seed);
        fill(160, i -> "{%s, n: %s, m: %s}".formatted(field(path, random), sorted(random), sorted(random)));
        List<StoreQuery> queries =
                IntStream.range(0, MANY).mapToObj(i -> madeUp(path, random)).toList();
        List<List<StoredObject>> alone =
                queries.stream().map(query -> await(store.query(query))).toList();
        MongoObjectStore held = heldByAWrite(new ObjectRef("Other", id(0)));
        long before = finds();

        List<List<StoredObject>> together = inOneTurn(held, queries::get);

        assertThat(finds() - before).as("seed %d finds", seed).isLessThan(MANY * 3 / 4);
        for (int i = 0; i < MANY; i++) {
            assertThat(together.get(i))
                    .as("%s of seed %d", queries.get(i), seed)
                    .isEqualTo(alone.get(i));
        }
    }

    /**
     * Returns the value of an object at the path: one or several, in one embedded object or in
     * several.
     */
    private static String field(String path, Random random) {
        if (!path.contains(".")) {
            return path + ": " + stored(random);
        }
        String place = "{shelf: " + stored(random) + "}";
        return "place: " + (random.nextInt(3) == 0 ? "[" + place + ", {shelf: " + stored(random) + "}]" : place);
    }

    private static String stored(Random random) {
        List<String> values = random.nextInt(3) == 0 ? STORED_ONLY : ASKED_FOR;
        return random.nextInt(4) == 0
                ? "[" + one(values, random) + ", " + one(ASKED_FOR, random) + "]"
                : one(values, random);
    }

    /** Mostly few values, so that there are equal ones, which ids order. */
    private static String sorted(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> "[" + random.nextInt(3) + ", " + random.nextInt(5) + "]";
            case 1 -> "[]";
            case 2 -> one(ASKED_FOR, random);
            default -> String.valueOf(random.nextInt(3));
        };
    }

    private static String one(List<String> values, Random random) {
        return values.get(random.nextInt(values.size()));
    }

    private static StoreQuery madeUp(String path, Random random) {
        String further = random.nextBoolean() ? "" : ", n: {$gt: " + random.nextInt(3) + "}";
        String order = one(List.of("{}", "{n: 1}", "{m: -1, n: 1}", "{'%s': 1, m: 1}".formatted(path)), random);
        String filter = "{'%s': %s%s}".formatted(path, one(ASKED_FOR, random), further);
        return page(filter, order, random.nextInt(3), random.nextInt(4) * 20 + 1);
    }

    private interface Objects {
        String number(int i);
    }

    private void fill(int count, Objects objects) {
        await(Future.all(IntStream.range(0, count)
                .mapToObj(i -> store.insert(new ObjectRef("Item", id(i)), BsonDocument.parse(objects.number(i))))
                .toList()));
    }

    private interface Queries {
        StoreQuery number(int i);
    }

    private List<List<StoredObject>> inOneGo(Queries queries) {
        return await(Future.all(IntStream.range(0, MANY)
                        .mapToObj(i -> store.query(queries.number(i)))
                        .toList()))
                .list();
    }

    /** Sends all queries in one turn of the store, whatever the speed of the caller. */
    private List<List<StoredObject>> inOneTurn(MongoObjectStore held, Queries queries) {
        List<Future<List<StoredObject>>> asked = IntStream.range(0, MANY)
                .mapToObj(i -> held.query(queries.number(i)))
                .toList();
        goOn.countDown();
        await(write.future());
        return await(Future.all(asked)).list();
    }

    private static StoreQuery query(String filter) {
        return page(filter, "{}", 0, 100);
    }

    private static StoreQuery page(String filter, String order, int skip, int limit) {
        return new StoreQuery(
                "Item",
                Filter.parse(BsonDocument.parse(filter)),
                SortOrder.parse(BsonDocument.parse(order)),
                skip,
                limit);
    }

    private static long finds() {
        return FIXTURE.mongod().commands("find");
    }

    private static String id(int number) {
        return "%05d".formatted(number);
    }

    private static List<String> ids(List<StoredObject> objects) {
        return objects.stream().map(object -> object.ref().key()).toList();
    }
}
