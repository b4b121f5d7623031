package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static io.orestes.store.mongo.DefectiveDatabase.rendered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.mongodb.MongoException;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.orestes.store.mongo.DefectiveDatabase.Defect;
import io.orestes.store.mongo.driver.MongoConfig;
import io.orestes.store.mongo.driver.MongoConnection;
import io.orestes.store.mongo.probe.ServerCapabilities;
import io.orestes.store.mongo.probe.ServerProbe;
import io.orestes.store.mongo.probe.TopologyCheck;
import io.orestes.store.mongo.probe.UnusableServerException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.types.Decimal128;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Servers with one defect: those with which objects would not be safe are refused, whatever
 * capabilities they claim.
 */
final class LookAlikesTest {

    @RegisterExtension
    static final MongoFixture FIXTURE = MongoFixture.of(Deployment.QUICK_REPLICA_SET);

    private TopologyCheck topology;
    private MongoConnection connection;
    private MongoDatabase genuine;

    @BeforeEach
    void connect() {
        MongoConfig config = MongoConfig.at(FIXTURE.mongod().address());
        topology = new TopologyCheck(config);
        connection = MongoConnection.open(FIXTURE.vertx(), config, topology);
        genuine = connection.driver().client().getDatabase("test");
    }

    @AfterEach
    void disconnect() {
        connection.driver().close();
    }

    static Stream<Arguments> defects() {
        return Stream.of(
                arguments("loses updates", "loses every second increment", losesIncrements()),
                arguments("loses updates", "tells of an update what was there before it", tellsOfBefore()),
                arguments(
                        "loses updates", "drops updates", updating(update -> BsonDocument.parse("{$set: {other: 1}}"))),
                arguments("replace one version", "compares no versions", replacing(2, "swapped")),
                arguments("which key", "takes insertions for replacements", replacing(3, "twin")),
                arguments("unique index", "has no unique indexes", forgetsUniqueness()),
                arguments(
                        "decimal numbers",
                        "rounds decimals",
                        storing("d", new BsonDecimal128(Decimal128.parse("1.0")))),
                arguments("arrays of arrays", "has no arrays of arrays", storing("a", new BsonArray())),
                arguments("no transactions", "does at once what a transaction does", changingAtOnce()),
                arguments("change streams", "tells of nothing", tellingNothing("insert")),
                arguments("change streams", "has no change streams", knowingNo("aggregate", "$changeStream")));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("defects")
    void run_serverWithADefect_isRefused(String complaint, String what, Defect defect) {
        assertThatThrownBy(() -> await(run(defect)))
                .as(what)
                .isInstanceOf(UnusableServerException.class)
                .hasMessageContaining(complaint)
                .hasMessageEndingWith("objects would not be safe there");
        assertThat(FIXTURE.mongod().database().listCollectionNames()).isEmpty();
    }

    /** Shows that the proxy itself is not the reason of a refusal. */
    @Test
    void run_serverWithoutADefect_isAcceptedWithAllCapabilities() {
        ServerCapabilities serverCapabilities = await(run(new Defect("nothing", 0, arguments -> arguments)));

        assertThat(serverCapabilities.missing()).isEmpty();
    }

    static Stream<Arguments> absences() {
        return Stream.of(
                arguments("linearizable reads: ", "refuses the read that is to be linearizable", refusing("absent")),
                arguments("geo indexes: ", "knows no places", indexing("place", "nonsense")),
                arguments("geo indexes: ", "takes an index of places for any other", indexing("place", 1)));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("absences")
    void run_serverWithoutOneCapability_isAcceptedWithoutIt(String missing, String what, Defect defect) {
        ServerCapabilities serverCapabilities = await(run(defect));

        assertThat(serverCapabilities.missing())
                .as(what)
                .singleElement()
                .asString()
                .startsWith(missing);
        assertThat(FIXTURE.mongod().database().listCollectionNames()).isEmpty();
    }

    /**
     * The unique index is made first, then that of places. An index that fails in such a way may
     * exist a moment later.
     */
    @ParameterizedTest
    @CsvSource({"1, 11602", "1, 91", "1, 50"})
    void run_indexesCannotBeTriedNow_fails(int before, int code) {
        FIXTURE.mongod()
                .failCommands("{skip: " + before + "}", "{failCommands: ['createIndexes'], errorCode: " + code + "}");

        assertThatThrownBy(() -> await(run(new Defect("nothing", 0, arguments -> arguments))))
                .isInstanceOf(MongoException.class);
    }

    /** Applies all commands of a transaction at once. */
    private static Defect changingAtOnce() {
        return new Defect("updateOne", 3, arguments -> {
            changeAtOnce(rendered(arguments[1]), rendered(arguments[2]));
            arguments[1] = BsonDocument.parse("{_id: 'nobody'}");
            return arguments;
        });
    }

    private static void changeAtOnce(BsonDocument filter, BsonDocument update) {
        var database = FIXTURE.mongod().database();
        for (String collection : database.listCollectionNames()) {
            assertThat(database.getCollection(collection)
                            .updateOne(filter, update)
                            .getMatchedCount())
                    .isOne();
        }
    }

    private Future<ServerCapabilities> run(Defect defect) {
        ServerProbe serverProbe =
                new ServerProbe(DefectiveDatabase.of(genuine, defect), topology, connection, Duration.ofSeconds(2));
        Promise<ServerCapabilities> found = Promise.promise();
        connection.home().runOnContext(now -> serverProbe.run().onComplete(found));
        return found.future();
    }

    /** Accepts the command for a change stream and sends no events. */
    private static Defect tellingNothing(String kind) {
        BsonDocument others = new BsonDocument(
                "$match", new BsonDocument("operationType", new BsonDocument("$ne", new BsonString(kind))));
        return running("aggregate", "$changeStream", command -> {
            command.getArray("pipeline").add(others);
            return command;
        });
    }

    private static Defect knowingNo(String command, String part) {
        return running(command, part, known -> BsonDocument.parse("{noSuchCommand: 1}"));
    }

    /** Maps a command that is run in a session and has such a part. */
    private static Defect running(String name, String part, UnaryOperator<BsonDocument> mistake) {
        return new Defect("runCommand", 3, arguments -> {
            BsonDocument command = rendered(arguments[1]).clone();
            if (command.getFirstKey().equals(name) && command.toJson().contains(part)) {
                arguments[1] = mistake.apply(command);
            }
            return arguments;
        });
    }

    /** Fails a find by that id. */
    private static Defect refusing(String id) {
        return new Defect("find", 2, arguments -> {
            if (rendered(arguments[1]).equals(new BsonDocument("_id", new BsonString(id)))) {
                arguments[1] = BsonDocument.parse("{$nonsense: 1}");
            }
            return arguments;
        });
    }

    private static Defect indexing(String path, Object kind) {
        return new Defect("createIndex", 1, arguments -> {
            if (rendered(arguments[0]).containsKey(path)) {
                arguments[0] = new Document(path, kind);
            }
            return arguments;
        });
    }

    private static Defect losesIncrements() {
        AtomicLong calls = new AtomicLong();
        return updating(
                update -> new BsonDocument("$set", new BsonDocument("n", new BsonInt64(calls.incrementAndGet() / 2))));
    }

    private static Defect updating(UnaryOperator<BsonDocument> mistake) {
        return new Defect("findOneAndUpdate", 3, arguments -> {
            arguments[1] = mistake.apply(rendered(arguments[1]));
            return arguments;
        });
    }

    private static Defect tellsOfBefore() {
        return new Defect("findOneAndUpdate", 3, arguments -> {
            arguments[2] = new FindOneAndUpdateOptions().returnDocument(ReturnDocument.BEFORE);
            return arguments;
        });
    }

    private static Defect replacing(int parameters, String id) {
        return new Defect("findOneAndReplace", parameters, arguments -> {
            arguments[0] = new BsonDocument("_id", new BsonString(id));
            return arguments;
        });
    }

    private static Defect forgetsUniqueness() {
        return new Defect("createIndex", 2, arguments -> {
            arguments[1] = new IndexOptions().sparse(true);
            return arguments;
        });
    }

    private static Defect storing(String field, BsonValue instead) {
        return new Defect("insertOne", 1, arguments -> {
            BsonDocument document = rendered(arguments[0]).clone();
            if (document.containsKey(field)) {
                arguments[0] = document.append(field, instead);
            }
            return arguments;
        });
    }
}
