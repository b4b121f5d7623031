package io.orestes.store.mongo.probe;

import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoDatabase;
import io.invalidb.query.filter.Filter;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.store.mongo.Deployment;
import io.orestes.store.mongo.MongoFixture;
import io.orestes.store.mongo.MongoObjectStore;
import io.orestes.store.mongo.driver.MongoConfig;
import io.orestes.support.mongo.Mongod;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The checks of a server before it stores objects. */
final class ServerProbeTest {

    private static final BsonDocument LOCAL = BsonDocument.parse("{level: 'local'}");
    private static final BsonDocument MAJORITY = BsonDocument.parse("{w: 'majority'}");

    /** Less than the ten seconds after which the driver ends its search for a server. */
    private static final Duration SOON = Duration.ofSeconds(6);

    @RegisterExtension
    static final MongoFixture REPLICA_SET = MongoFixture.of(Deployment.QUICK_REPLICA_SET);

    @Test
    void open_replicaSet_hasAllCapabilitiesAndIsUnchanged() {
        MongoObjectStore store = REPLICA_SET.openAsServersDo();

        assertThat(store.name()).matches("MongoDB 6[.]0[.]\\d+, replica set");
        assertThat(store.missing()).isEmpty();
        assertThat(REPLICA_SET.mongod().database().listCollectionNames())
                .noneMatch(name -> name.startsWith("orestes-probe"));
    }

    static Stream<UnaryOperator<String>> addresses() {
        return Stream.of(
                address -> address,
                address -> address + "?replicaSet=rs0",
                address -> address.replace("/test", ",127.0.0.1:1/test"));
    }

    /** The driver would search for another server until its time-out. */
    @ParameterizedTest
    @MethodSource("addresses")
    void open_standalone_isRefusedAtOnceWithTheCommands(UnaryOperator<String> address) {
        try (Mongod standalone = Mongod.inTemporaryFolder().start()) {
            long begin = System.nanoTime();

            assertThatThrownBy(() -> open(address.apply(standalone.address())))
                    .isInstanceOf(UnusableServerException.class)
                    .hasMessageContaining("cannot be used: it is no replica set")
                    .hasMessageContaining("mongod --replSet rs0")
                    .hasMessageEndingWith("mongosh --eval 'rs.initiate()'");
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(SOON);
        }
    }

    @ParameterizedTest
    @MethodSource("addresses")
    void open_setIsNotInitiated_isRefusedSoonWithTheCommand(UnaryOperator<String> address) {
        try (Mongod member = Mongod.inTemporaryFolder().replicaSet("rs0").launch()) {
            member.awaitAnswer();
            long begin = System.nanoTime();

            assertThatThrownBy(() -> open(address.apply(member.address())))
                    .isInstanceOf(UnusableServerException.class)
                    .hasMessageContaining("its replica set is not initiated")
                    .hasMessageEndingWith("mongosh --eval 'rs.initiate()'")
                    .hasMessageNotContaining("--replSet");
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(SOON);
        }
    }

    /** A member may be elected a moment later, so the check is repeated. */
    @Test
    void open_setHasNoPrimary_isUnavailable() {
        REPLICA_SET.mongod().command("{replSetStepDown: 60, force: true}");
        try {
            MongoConfig config = MongoConfig.at(REPLICA_SET.mongod().address() + "?replicaSet=rs0")
                    .withResponseTimeout(Duration.ofSeconds(3));

            assertThatThrownBy(() -> await(MongoObjectStore.open(REPLICA_SET.vertx(), config)))
                    .isInstanceOfSatisfying(UnusableServerException.class, refused -> assertThat(refused.isTransient())
                            .isTrue());
        } finally {
            REPLICA_SET.mongod().command("{replSetFreeze: 0}");
            REPLICA_SET.mongod().awaitPrimary();
        }
    }

    private static MongoObjectStore open(String address) {
        return await(MongoObjectStore.open(REPLICA_SET.vertx(), MongoConfig.at(address)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "REPLICATED  | {setName: 'rs0', isWritablePrimary: false}",
                "REPLICATED  | {msg: 'isdbgrid'}",
                "UNINITIATED | {isreplicaset: true}",
                "STANDALONE  | {isWritablePrimary: true}"
            })
    void topology_isThatOfTheServersOwnReport(Topology topology, String hello) {
        assertThat(Topology.of(BsonDocument.parse(hello))).isEqualTo(topology);
    }

    @Test
    void open_replicaSetRefusesTransactions_isRefused() {
        REPLICA_SET.mongod().failCommands("'alwaysOn'", "{failCommands: ['update'], errorCode: 263}");

        assertThatThrownBy(REPLICA_SET::openAsServersDo)
                .isInstanceOf(UnusableServerException.class)
                .hasMessageContaining("has no transactions");
    }

    /** A failing capability may exist a moment later, so it is not recorded as missing. */
    @Test
    void open_transactionsCannotBeTriedNow_isRefused() {
        REPLICA_SET.mongod().failCommands("'alwaysOn'", "{failCommands: ['update'], errorCode: 91}");

        assertThatThrownBy(REPLICA_SET::openAsServersDo)
                .isInstanceOf(UnusableServerException.class)
                .hasMessageContaining("cannot be used: MongoDB aborts every transaction");
    }

    @Test
    void open_sessionsOfDeadProcessesCannotBeEnded_isReported() {
        REPLICA_SET.mongod().failCommands("'alwaysOn'", "{failCommands: ['killSessions'], errorCode: 13}");

        MongoObjectStore store = REPLICA_SET.openAsServersDo();

        assertThat(store.missing()).singleElement().asString().startsWith("$currentOp or killSessions: ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MongoDB 6.0.5                           | {version: '6.0.5', gitVersion: 'c9', "
                        + "allocator: 'tcmalloc'} | {}",
                "Percona Server for MongoDB 8.0.19-7     | {version: '8.0.19-7', psmdbVersion: '8.0.19-7', "
                        + "gitVersion: 'x', allocator: 'tcmalloc'} | {}",
                "FerretDB v1.24.2, like MongoDB 7.0.77   | {version: '7.0.77', gitVersion: 'x', "
                        + "ferretdbVersion: 'v1.24.2'} | {}",
                "FerretDB v2.5.0, like MongoDB 7.0.77    | {version: '7.0.77', gitVersion: 'x', "
                        + "ferretdb: {version: 'v2.5.0'}} | {}",
                "DocumentDB 0.113-0, like MongoDB 7.0.0  | {version: '7.0.0'} | "
                        + "{internal: {documentdb_versions: ['0.113-0', '0.113.0']}}",
                "a server like MongoDB 5.0.42            | {version: '5.0.42', gitVersion: '30cf'} | {setName: 'rs0'}",
                "a server like MongoDB of no known version | {version: 5, internal: 'x', ferretdb: 7} | "
                        + "{internal: {documentdb_versions: 1}}"
            })
    void product_isDetectedBesideTheVersionOfMongo(String product, String build, String hello) {
        assertThat(ServerProductName.of(BsonDocument.parse(build), BsonDocument.parse(hello)))
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
    void open_noServer_namesTheAddress() {
        MongoConfig config =
                MongoConfig.at("mongodb://root:secret@127.0.0.1:1/shop").withResponseTimeout(Duration.ofMillis(500));

        assertThatThrownBy(() -> await(MongoObjectStore.open(REPLICA_SET.vertx(), config)))
                .isInstanceOf(UnusableServerException.class)
                .hasMessageStartingWith("MongoDB at 127.0.0.1:1/shop cannot be used")
                .hasMessageNotContaining("secret");
    }

    /**
     * A store of such an address reads no lagging states and makes no writes that may be rolled
     * back.
     */
    @Test
    void anyCall_addressHasWeakerConcerns_usesTheStoresConcerns() {
        String address = REPLICA_SET
                .mongod()
                .address("replicaSet=rs0&readPreference=secondaryPreferred&readConcernLevel=available&w=1&"
                        + "journal=false");
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

    /** Such are the answers of servers that read and write a counter in two steps. */
    @Test
    void areDistinct_twoWritersGotOneImage_isFalse() {
        List<Long> images = LongStream.rangeClosed(1, 200).boxed().toList();

        assertThat(ServerProbe.areDistinct(List.of(images.subList(100, 200), images.subList(0, 100))))
                .isTrue();
        assertThat(ServerProbe.areDistinct(List.of(images.subList(0, 100), images.subList(99, 199))))
                .isFalse();
    }

    private static ObjectRef ref(String key) {
        return new ObjectRef("Item", key);
    }
}
