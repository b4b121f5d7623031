package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static io.orestes.store.mongo.FailingServerRequests.n;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.Filters;
import io.orestes.model.ObjectRef;
import io.orestes.store.mongo.driver.MongoConfig;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A process aborts the open transactions of other processes, and only of those of its database. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class TransactionAborterTest {

    @RegisterExtension
    static final MongoFixture FIXTURE = MongoFixture.of(Deployment.QUICK_REPLICA_SET);

    private final List<AutoCloseable> opened = new ArrayList<>();
    private MongoObjectStore store;

    @BeforeEach
    void open() {
        store = FIXTURE.openBesideOthers(
                MongoConfig.at(FIXTURE.mongod().address()).shared(), InstantSource.system());
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    @Test
    void abandon_another_abortsItsTransactions() {
        ClientSession departed = begin("orestes/test/departed", "x");
        ClientSession member = begin("orestes/test/member", "y");

        await(store.abortTransactionsOf("orestes/test/departed"));

        assertAborted(departed);
        member.commitTransaction();
    }

    @Test
    void abandonOthers_abortsThoseOfAllOthersOfTheDatabase() {
        ClientSession departed = begin("orestes/test/departed", "x");
        ClientSession alone = begin("orestes/test", "y");
        ClientSession self = begin(store.processName(), "z");
        ClientSession otherDatabase = begin("orestes/test2/member", "u");
        ClientSession stranger = begin("another program", "v");

        await(store.abortTransactionsOfOthers());

        assertAborted(departed);
        assertAborted(alone);
        self.commitTransaction();
        otherDatabase.commitTransaction();
        stranger.commitTransaction();
    }

    private static void assertAborted(ClientSession session) {
        assertThatThrownBy(session::commitTransaction)
                .isInstanceOfSatisfying(MongoException.class, failure -> assertThat(
                                failure.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL))
                        .isTrue());
    }

    /** Inserts an object, which a client of that name has deleted in an open transaction. */
    private ClientSession begin(String process, String id) {
        ObjectRef ref = new ObjectRef("Item", id);
        await(store.insert(ref, n(1)));
        MongoClient client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(FIXTURE.mongod().address()))
                .applicationName(process)
                .build());
        opened.add(client);
        ClientSession session = client.startSession();
        opened.add(0, session);
        session.startTransaction();
        assertThat(client.getDatabase("test")
                        .getCollection("Item")
                        .deleteOne(session, Filters.eq(ref.id()))
                        .getDeletedCount())
                .isOne();
        return session;
    }
}
