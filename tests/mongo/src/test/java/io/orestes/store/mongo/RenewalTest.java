package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.store.ChangeFeed;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The next version of what another program changed, where the server has a change feed. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class RenewalTest {

    private static final ObjectRef A = new ObjectRef("Item", "a");
    private static final BsonDocument IS_A = BsonDocument.parse("{_id: '/db/Item/a'}");

    @RegisterExtension
    static final MongoFixture FIXTURE = MongoFixture.of(Deployment.QUICK_REPLICA_SET);

    private MongoObjectStore store;
    private MongoCollection<BsonDocument> items;
    private ChangeFeed feed;

    @BeforeEach
    void open() {
        store = FIXTURE.open();
        items = FIXTURE.mongod().database().getCollection("Item", BsonDocument.class);
        feed = store.changes();
    }

    /** Only metadata are written, so concurrent changes of the other program are retained. */
    @Test
    void renew_othersIncrementMeanwhile_losesNothing() {
        items.insertOne(BsonDocument.parse("{_id: '/db/Item/a', n: 0}"));

        var renewals = IntStream.range(0, 50)
                .mapToObj(i -> {
                    items.updateOne(IS_A, BsonDocument.parse("{$inc: {n: 1}}"));
                    return feed.incrementVersion(A, null);
                })
                .toList();
        awaitAll(renewals);

        assertThat(Objects.requireNonNull(items.find(IS_A).first())
                        .getInt32("n")
                        .getValue())
                .isEqualTo(50);
        assertThat(await(store.find(A)).orElseThrow().version()).isEqualTo(50);
    }

    @Test
    void renew_knownStateIsLater_comesAfterIt() {
        StoredObject inserted = await(store.insert(A, n(1)));
        assertThat(replace(2).version()).isEqualTo(2);
        StoredObject third = replace(3);
        items.replaceOne(IS_A, inserted.document());

        StoredObject renewed = await(feed.incrementVersion(A, third.stamp())).orElseThrow();

        assertThat(renewed.stamp().isAfter(third.stamp())).isTrue();
        assertThat(renewed.createdAt()).isEqualTo(inserted.createdAt());
    }

    /** Queries use the readers, which another program does not derive from the permissions. */
    @Test
    void current_permissionsChangedWithAVersion_saysThatReadersAreOutdatedUntilItsRenewal() {
        StoredObject inserted = await(store.insert(A, n(1)));
        assertThat(hasCurrentReaders()).isTrue();

        items.updateOne(
                IS_A, BsonDocument.parse("{$inc: {version: 1}, $set: {acl: {read: {'/db/Role/staff': 'allow'}}}}"));

        assertThat(hasCurrentReaders()).isFalse();
        StoredObject renewed = await(feed.incrementVersion(A, inserted.stamp())).orElseThrow();
        assertThat(hasCurrentReaders()).isTrue();
        assertThat(renewed.document().getArray("_readAllowed")).containsExactly(new BsonString("/db/Role/staff"));
    }

    private boolean hasCurrentReaders() {
        return await(feed.current(A)).orElseThrow().hasCurrentReaders();
    }

    private StoredObject replace(int number) {
        return await(store.replace(A, n(number), Precondition.none(), Principal.SERVER));
    }

    private static BsonDocument n(int number) {
        return new BsonDocument("n", new BsonInt32(number));
    }
}
