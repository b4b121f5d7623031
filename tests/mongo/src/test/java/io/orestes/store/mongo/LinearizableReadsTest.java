package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.failureOf;
import static io.orestes.store.mongo.FailingServerRequests.assertUnavailable;
import static io.orestes.store.mongo.FailingServerRequests.n;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.ReadLevel;
import io.orestes.model.StoredObject;
import io.orestes.store.IndexSpec;
import io.orestes.store.StoreQuery;
import io.orestes.store.mongo.driver.MongoConfig;
import io.orestes.support.mongo.ReplicaSet;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A store that reaches the old primary only, while the others have elected a new one and have a
 * newer state.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class LinearizableReadsTest {

    private static final ObjectRef A = new ObjectRef("Item", "a");
    private static final int MANY = 50;

    private final Vertx vertx = Vertx.vertx();

    @AutoClose
    private final ReplicaSet set = ReplicaSet.start();

    private MongoObjectStore old;
    private MongoObjectStore current;
    private StoredObject oldState;
    private StoredObject newState;

    @BeforeAll
    void cutOff() {
        old = await(MongoObjectStore.open(vertx, MongoConfig.at(ReplicaSet.addressOf(set.primary()))));
        old.join(bucket -> Future.succeededFuture());
        await(old.createIndex("Item", IndexSpec.ascending("n")));
        await(old.createIndex("Item", IndexSpec.TEXT));
        await(old.createIndex("Item", IndexSpec.geo("place")));
        oldState = await(old.insert(A, item(0, "old")));
        awaitAll(IntStream.range(1, MANY)
                .mapToObj(i -> old.insert(new ObjectRef("Item", "i" + i), item(i, "old")))
                .toList());
        set.replaceUnseen();
        // a probe of the server would fill an index, for which MongoDB needs the votes of all
        // members
        current = await(MongoObjectStore.openUnprobed(
                vertx, MongoConfig.at(ReplicaSet.addressOf(set.successor())), InstantSource.system()));
        current.join(bucket -> Future.succeededFuture());
        newState = await(current.replace(A, item(0, "new"), Precondition.none(), Principal.SERVER));
    }

    /** The stores are absent if the set could not be cut. */
    @AfterAll
    void close() {
        Stream.of(old, current).filter(Objects::nonNull).forEach(store -> await(store.close()));
        await(vertx.close());
    }

    /** Otherwise the other tests prove nothing. */
    @Test
    void committedReads_throughTheOldPrimary_showTheOldState() {
        assertThat(await(old.find(A))).contains(oldState);
        assertThat(await(old.query(zero(ReadLevel.COMMITTED)))).containsExactly(oldState);
        assertThat(await(current.find(A))).contains(newState);
    }

    @Test
    void linearizableReads_throughTheNewPrimary_showTheNewState() {
        assertThat(await(current.find(A, ReadLevel.LINEARIZABLE))).contains(newState);
        assertThat(await(current.query(zero(ReadLevel.LINEARIZABLE)))).containsExactly(newState);
        assertThat(await(current.count("Item", Filter.ALL, ReadLevel.LINEARIZABLE)))
                .isEqualTo(MANY);
    }

    @Test
    void find_linearizable_isUnavailable() {
        assertUnavailable(failureOf(old.find(A, ReadLevel.LINEARIZABLE)));
        assertUnavailable(failureOf(old.find(new ObjectRef("Item", "absent"), ReadLevel.LINEARIZABLE)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{n: 0}",
                "{n: {$lt: 5}}",
                "{n: -1}",
                "{$text: {$search: 'old'}}",
                "{place: {$nearSphere: {$geometry: {type: 'Point', coordinates: [0, 0]}}}}"
            })
    void queryCountAndVisit_linearizable_areUnavailable(String condition) {
        Filter filter = Filter.parse(BsonDocument.parse(condition));
        StoreQuery query = StoreQuery.all("Item", filter).withLevel(ReadLevel.LINEARIZABLE);

        assertUnavailable(failureOf(old.query(query)));
        assertUnavailable(failureOf(old.query(List.of(query), Future::succeededFuture)));
        assertUnavailable(failureOf(old.count("Item", filter, ReadLevel.LINEARIZABLE)));
        assertUnavailable(failureOf(old.visit("Item", filter, ReadLevel.LINEARIZABLE, object -> {})));
    }

    /** The queries share requests. */
    @Test
    void queries_linearizableTogether_areAllUnavailable() {
        List<Future<List<StoredObject>>> queries = IntStream.range(0, MANY)
                .mapToObj(i -> Filter.parse(BsonDocument.parse("{n: " + i + "}")))
                .map(filter -> old.query(StoreQuery.all("Item", filter).withLevel(ReadLevel.LINEARIZABLE)))
                .toList();
        awaitAll(queries);

        assertThat(queries).allSatisfy(query -> assertUnavailable(query.cause()));
    }

    private static StoreQuery zero(ReadLevel level) {
        return new StoreQuery("Item", Filter.parse(n(0)), SortOrder.BY_ID, 0, 10).withLevel(level);
    }

    private static BsonDocument item(int number, String text) {
        return n(number)
                .append("text", new BsonString(text))
                .append("place", BsonDocument.parse("{type: 'Point', coordinates: [0, " + number + "]}"));
    }
}
