package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import io.orestes.model.ObjectRef;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.WriteOutcome;
import io.orestes.store.Batch;
import io.orestes.store.ChangeEvent;
import io.orestes.store.ChangeFeed;
import io.orestes.store.mongo.driver.MongoConfig;
import io.orestes.store.mongo.driver.MongoSessionFactory;
import io.orestes.store.mongo.driver.PublisherAdapter;
import io.orestes.store.mongo.probe.UnusableServerException;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Servers with authentication: the rights of their users, and the errors of users without rights.
 */
final class AuthenticationTest {

    private static final String READ_WRITE = "{role: 'readWrite', db: 'test'}";
    private static final ObjectRef A = new ObjectRef("Item", "a");

    @RegisterExtension
    static final MongoFixture REPLICA_SET = MongoFixture.of(Deployment.REPLICA_SET_WITH_PASSWORD);

    @Test
    void open_wrongPassword_failsWithoutWaitingLong() {
        String address = REPLICA_SET.mongod().address().replace("secret", "guess");
        MongoConfig config = MongoConfig.at(address).withResponseTimeout(Duration.ofSeconds(5));

        assertThatThrownBy(() -> await(MongoObjectStore.open(REPLICA_SET.vertx(), config)))
                .isInstanceOf(UnusableServerException.class)
                .hasMessageNotContaining("guess");
    }

    @Test
    void open_again_findsWhatWasWritten() {
        MongoObjectStore store = REPLICA_SET.open();
        StoredObject stored = await(store.insert(A, new BsonDocument()));
        await(store.close());

        assertThat(await(REPLICA_SET.open().find(A))).contains(stored);
    }

    /**
     * A connection breaks in this way when a server ends; the request may succeed a moment later.
     */
    @Test
    void requests_connectionBreaksInTheHandshake_areUnavailable() {
        MongoObjectStore store =
                REPLICA_SET.openBesideOthers(MongoConfig.at(REPLICA_SET.mongod().address()), InstantSource.system());
        await(store.insert(A, new BsonDocument()));
        REPLICA_SET
                .mongod()
                .failCommands("'alwaysOn'", "{failCommands: ['saslStart', 'saslContinue'], closeConnection: true}");

        List<Future<?>> requests = IntStream.range(0, 24)
                .<Future<?>>mapToObj(i -> i % 2 == 0
                        ? store.find(new ObjectRef("Item", "x" + i))
                        : FailingServerRequests.replace(store, new ObjectRef("Item", "x" + i), i))
                .toList();
        awaitAll(requests);
        REPLICA_SET.mongod().failNoCommands();

        assertThat(requests)
                .filteredOn(Future::failed)
                .isNotEmpty()
                .allSatisfy(request -> FailingServerRequests.assertUnavailable(request.cause()));
    }

    @Test
    void open_noUserInTheAddress_namesTheRequiredUser() {
        assertNeedsAUser(REPLICA_SET.mongod().address().replaceAll("root.*@|[?].*", ""));
    }

    @Test
    void open_userMayOnlyRead_namesTheRequiredRole() {
        assertNeedsAUser(REPLICA_SET.mongod().addressOfUser("{role: 'read', db: 'test'}"));
    }

    private static void assertNeedsAUser(String address) {
        assertThatThrownBy(() -> await(MongoObjectStore.open(REPLICA_SET.vertx(), MongoConfig.at(address))))
                .isInstanceOf(UnusableServerException.class)
                .hasMessageContaining("/test cannot be used: the address has to name a user with the role readWrite");
    }

    @Test
    void open_userMayReadAndWrite_hasAllCapabilities() {
        assertThat(openAsUser().missing()).isEmpty();
    }

    @Test
    void open_userMayNotReadTheChangeStream_namesTheRequiredRole() {
        REPLICA_SET
                .mongod()
                .command(
                        """
                        {createRole: 'deaf', roles: [], privileges: [{resource: {db: 'test', collection: ''}, actions: [
                          'find', 'insert', 'update', 'remove', 'createCollection', 'dropCollection', 'createIndex',
                          'dropIndex', 'listIndexes', 'listCollections', 'killCursors']}]}""");

        assertNeedsAUser(REPLICA_SET.mongod().addressOfUser("'deaf'"));
    }

    @Test
    void commit_byAUserWhoMayReadAndWrite_isDoneAndPublished() {
        MongoObjectStore store = openAsUser();
        ChangeFeed.ChangeFeedReader changes = await(store.changes().open());
        ObjectRef b = new ObjectRef("Other", "b");

        List<WriteOutcome> outcomes =
                await(store.commit(new Batch(List.of(), List.of(insertion(A), insertion(b)), Principal.SERVER)));

        assertThat(outcomes).hasSize(2);
        assertThat(next(changes))
                .extracting(write -> ((ChangeEvent.ObjectWriteEvent) write).ref())
                .containsExactly(A, b);
        changes.close();
    }

    private static List<ChangeEvent> next(ChangeFeed.ChangeFeedReader reader) {
        List<ChangeEvent> changes = List.of();
        while (changes.size() < 2) {
            changes = await(reader.next()).changes();
        }
        return changes;
    }

    /** A process that was killed in the middle of a transaction and starts again has such a one. */
    @Test
    void open_userHasATransactionOpenByThatName_endsIt() {
        String address = REPLICA_SET.mongod().addressOfUser(READ_WRITE);
        PublisherAdapter publisherAdapter = new PublisherAdapter(
                REPLICA_SET.vertx(), REPLICA_SET.vertx().getOrCreateContext(), Duration.ofSeconds(10));
        await(REPLICA_SET.open(MongoConfig.at(address), InstantSource.system()).insert(A, new BsonDocument()));
        try (MongoClient dead = MongoClients.create(address + "&appName=orestes/test")) {
            ClientSession session = await(new MongoSessionFactory(dead, publisherAdapter).begin());
            session.startTransaction();
            var items = dead.getDatabase("test").getCollection("Item");
            await(publisherAdapter.first(items.updateOne(
                    session, new BsonDocument(), BsonDocument.parse("{$set: {version: {$numberLong: '9'}}}"))));

            MongoObjectStore store = REPLICA_SET.openAsServersDo(MongoConfig.at(address));
            Future<StoredObject> written = FailingServerRequests.replace(store, A, 1);

            assertThat(await(written).version()).isEqualTo(2);
        }
    }

    private static MongoObjectStore openAsUser() {
        return REPLICA_SET.openAsServersDo(MongoConfig.at(REPLICA_SET.mongod().addressOfUser(READ_WRITE)));
    }

    private static Batch.StoreOperation insertion(ObjectRef ref) {
        return new Batch.InsertOperation(ref, new BsonDocument(), 0);
    }
}
