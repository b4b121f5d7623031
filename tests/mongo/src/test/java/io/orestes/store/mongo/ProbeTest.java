package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoDatabase;
import io.invalidb.query.Filter;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.store.Batch;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is found out about a server before objects are trusted to it. */
final class ProbeTest {

    private static final BsonDocument LOCAL = BsonDocument.parse("{level: 'local'}");
    private static final BsonDocument MAJORITY = BsonDocument.parse("{w: 'majority'}");

    @RegisterExtension
    static final MongoFixture REPLICA_SET = MongoFixture.of(Deployment.QUICK_REPLICA_SET);

    @RegisterExtension
    static final MongoFixture STANDALONE = MongoFixture.of(Deployment.STANDALONE);

    @Test
    void open_replicaSet_lacksNothingAndIsLeftAsItWas() {
        MongoObjectStore store = REPLICA_SET.openAsServersDo();

        assertThat(store.name()).matches("MongoDB 6[.]0[.]\\d+, replica set");
        assertThat(store.missing()).isEmpty();
        assertThat(REPLICA_SET.mongod().database().listCollectionNames())
                .noneMatch(name -> name.startsWith("orestes-probe"));
    }

    @Test
    void open_standalone_saysWhatThatCosts() {
        MongoObjectStore store = STANDALONE.openAsServersDo();

        assertThat(store.name()).endsWith(", standalone");
        assertThat(store.missing()).hasSize(2);
        assertThat(store.missing().get(0)).startsWith("transactions: ");
        assertThat(store.missing().get(1)).startsWith("change streams: ");
    }

    @Test
    void open_replicaSetRefusesTransactions_doesWithoutThem() {
        REPLICA_SET.mongod().failCommands("'alwaysOn'", "{failCommands: ['update'], errorCode: 263}");

        MongoObjectStore store = REPLICA_SET.openAsServersDo();

        REPLICA_SET.mongod().failNoCommands();
        assertThat(store.missing()).singleElement().asString().startsWith("transactions: ");
        assertThat(await(store.commit(new Batch(List.of(), List.of(insertion("a"), insertion("b")), Principal.SERVER))))
                .hasSize(2);
        assertThat(await(store.findAll(List.of(ref("a"), ref("b"))))).hasSize(2);
    }

    /** What fails now may be there a moment later, so nobody decides for good that it is not. */
    @Test
    void open_transactionsCannotBeTriedNow_isRefused() {
        REPLICA_SET.mongod().failCommands("'alwaysOn'", "{failCommands: ['update'], errorCode: 91}");

        assertThatThrownBy(REPLICA_SET::openAsServersDo)
                .isInstanceOf(UnusableServerException.class)
                .hasMessageContaining("cannot be used: MongoDB aborts every transaction");
    }

    @Test
    void open_sessionsOfTheDeadCannotBeEnded_isTold() {
        REPLICA_SET.mongod().failCommands("'alwaysOn'", "{failCommands: ['killSessions'], errorCode: 13}");

        MongoObjectStore store = REPLICA_SET.openAsServersDo();

        assertThat(store.missing()).singleElement().asString().startsWith("$currentOp or killSessions: ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MongoDB 6.0.5                           | {version: '6.0.5', gitVersion: 'c9', allocator: 'tcmalloc'} | {}",
                "Percona Server for MongoDB 8.0.19-7     | {version: '8.0.19-7', psmdbVersion: '8.0.19-7', gitVersion: 'x', allocator: 'tcmalloc'} | {}",
                "FerretDB v1.24.2, like MongoDB 7.0.77   | {version: '7.0.77', gitVersion: 'x', ferretdbVersion: 'v1.24.2'} | {}",
                "FerretDB v2.5.0, like MongoDB 7.0.77    | {version: '7.0.77', gitVersion: 'x', ferretdb: {version: 'v2.5.0'}} | {}",
                "DocumentDB 0.113-0, like MongoDB 7.0.0  | {version: '7.0.0'} | {internal: {documentdb_versions: ['0.113-0', '0.113.0']}}",
                "a server like MongoDB 5.0.42            | {version: '5.0.42', gitVersion: '30cf'} | {setName: 'rs0'}",
                "a server like MongoDB of no known version | {version: 5, internal: 'x', ferretdb: 7} | {internal: {documentdb_versions: 1}}"
            })
    void product_isWhatItSaysBesideTheVersionOfMongo(String product, String build, String hello) {
        assertThat(Product.of(BsonDocument.parse(build), BsonDocument.parse(hello)))
                .isEqualTo(product);
    }

    @Test
    void open_serverDoesNotKnowACommandThatWritersNeed_isRefused() {
        REPLICA_SET.mongod().failCommands("'alwaysOn'", "{failCommands: ['findAndModify'], errorCode: 59}");

        assertThatThrownBy(REPLICA_SET::openAsServersDo)
                .isInstanceOf(UnusableServerException.class)
                .hasMessageContaining("objects would not be safe there");
    }

    @Test
    void open_nobodyThere_saysWhere() {
        MongoConfig config =
                MongoConfig.at("mongodb://root:secret@127.0.0.1:1/shop").withAnswerWithin(Duration.ofMillis(500));

        assertThatThrownBy(() -> await(MongoObjectStore.open(REPLICA_SET.vertx(), config)))
                .isInstanceOf(UnusableServerException.class)
                .hasMessageStartingWith("MongoDB at 127.0.0.1:1/shop cannot be used")
                .hasMessageNotContaining("secret");
    }

    /** Whoever opens a store by such an address gets no lagging states and no writes that may be undone. */
    @Test
    void anyCall_addressAsksForLess_isSentAsAlways() {
        String address = REPLICA_SET
                .mongod()
                .address(
                        "replicaSet=rs0&readPreference=secondaryPreferred&readConcernLevel=available&w=1&journal=false");
        MongoObjectStore store = REPLICA_SET.open(MongoConfig.at(address), InstantSource.system());
        MongoDatabase database = REPLICA_SET.mongod().database();
        database.runCommand(BsonDocument.parse("{profile: 2}"));
        try {
            await(store.insert(ref("a"), new BsonDocument()));
            await(store.find(ref("a")));
            await(store.count("Item", Filter.ALL));
            await(store.update(ref("a"), (fields, now) -> fields, 0, Precondition.none(), Principal.SERVER));
        } finally {
            database.runCommand(BsonDocument.parse("{profile: 0}"));
        }

        List<BsonDocument> sent = database.getCollection("system.profile", BsonDocument.class)
                .find(BsonDocument.parse("{appName: 'orestes/test'}"))
                .map(entry -> entry.getDocument("command"))
                .into(new ArrayList<>());
        assertThat(sent).hasSizeGreaterThan(3).allSatisfy(command -> {
            assertThat(command).doesNotContainKey("$readPreference");
            assertThat(command.getDocument("readConcern", LOCAL)
                            .getString("level")
                            .getValue())
                    .isIn("local", "majority", "snapshot");
            assertThat(command.getDocument("writeConcern", MAJORITY).get("w")).isEqualTo(new BsonString("majority"));
        });
        assertThat(sent).anyMatch(command -> command.containsKey("writeConcern"));
    }

    /** As servers answer that read and write a counter in two steps. */
    @Test
    void areDistinct_twoWritersGotOneImage_isFalse() {
        List<Long> images = LongStream.rangeClosed(1, 200).boxed().toList();

        assertThat(Probe.areDistinct(List.of(images.subList(100, 200), images.subList(0, 100))))
                .isTrue();
        assertThat(Probe.areDistinct(List.of(images.subList(0, 100), images.subList(99, 199))))
                .isFalse();
    }

    private static Batch.Write insertion(String key) {
        return new Batch.Insertion(ref(key), new BsonDocument(), 0);
    }

    private static ObjectRef ref(String key) {
        return new ObjectRef("Item", key);
    }
}
