package io.orestes.app;

import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.mongodb.client.MongoCollection;
import io.orestes.caching.sketch.BloomFilter;
import io.orestes.caching.sketch.SketchSize;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.store.mongo.Deployment;
import io.orestes.store.mongo.MongoObjectStore;
import io.orestes.store.mongo.driver.MongoConfig;
import io.orestes.support.mongo.Mongod;
import io.orestes.support.process.Waiting;
import io.vertx.core.Vertx;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Other programs write to MongoDB, and no reader of the server continues to see the states before.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class ExternalWritesTest {

    private static final AtomicInteger CLASSES = new AtomicInteger();

    private final Mongod mongod = Deployment.REPLICA_SET.start();
    private String bucket = "";
    private String id = "";
    private String query = "";
    private Path folder = Path.of("");
    private @Nullable RunningServer running;

    /**
     * A server without a memory treats unknown states as stale for as long as copies live; that
     * time has to pass.
     */
    @BeforeAll
    void start(@TempDir Path data) {
        folder = data;
        running = start();
        Waiting.until("changes are read", () -> get("/status").body().contains("\"reading\""));
        Waiting.until("the filter empties", () -> !isStale("/db/Note/never-read"));
    }

    @BeforeEach
    void makeClass() {
        bucket = "Note" + CLASSES.incrementAndGet();
        id = "/db/" + bucket + "/a";
        query = "/db/" + bucket + "/query?q=%7B%22text%22%3A%22new%22%7D";
        String type = "{\"class\":\"/db/" + bucket
                + "\",\"fields\":{\"text\":{\"name\":\"text\",\"type\":\"/db/String\"},"
                + "\"n\":{\"name\":\"n\",\"type\":\"/db/Integer\"}}}";
        assertThat(TestRequests.root(server()).post("/schema/" + bucket, type).statusCode())
                .isEqualTo(200);
    }

    @AfterAll
    void stop() {
        server().close();
        mongod.close();
    }

    @Test
    void insert_ofAnotherProgram_isReadAndPublished() throws Exception {
        try (Events live = Events.open(server(), bucket)) {
            assertThat(get(query).body()).isEqualTo("[]");
            insert("{_id: '" + id + "', text: 'new'}");

            assertThat(live.next()).isEqualTo("add insert a new");
            assertThat(get(query).body()).contains("\"text\":\"new\"");
            assertThat(get(id).body()).contains("\"version\":1");
            awaitStale(query);
        }
    }

    @Test
    void update_ofAnotherProgram_isANewVersionForAll() throws Exception {
        put("old");
        HttpResponse<String> before = get(id);
        assertThat(TestRequests.header(get(query), "cache-control")).contains("max-age");
        assertThat(isStale(id)).isFalse();
        try (Events live = Events.open(server(), bucket)) {
            update("{$set: {text: 'new'}}");

            assertThat(live.next()).isEqualTo("change update a new");
            assertThat(live.isQuiet(1_000)).isTrue();
        }
        assertThat(isStale(id)).isTrue();
        assertThat(isStale(query)).isTrue();
        HttpResponse<String> after = get(id, "If-None-Match", TestRequests.header(before, "etag"));
        assertThat(after.statusCode()).isEqualTo(200);
        assertThat(after.body()).contains("\"text\":\"new\"").contains("\"version\":2");
        assertThat(get(query).body()).contains("\"text\":\"new\"");
        assertThat(TestRequests.anonymous(server())
                        .put(id, "{\"text\":\"late\"}", "If-Match", TestRequests.header(before, "etag"))
                        .statusCode())
                .isEqualTo(412);
    }

    @Test
    void replacement_ofAnotherProgram_isANewVersionWhateverItDidToMetadata() throws Exception {
        put("old");
        get(id);
        BsonDocument state = stored();
        try (Events live = Events.open(server(), bucket)) {
            collection().replaceOne(byId(), state.clone().append("text", new BsonString("kept version")));
            assertThat(live.next()).isEqualTo("change update a kept version");
            assertThat(get(id).body()).contains("\"version\":2").contains("kept version");

            collection().replaceOne(byId(), BsonDocument.parse("{text: 'no version'}"));
            assertThat(live.next()).isEqualTo("change insert a no version");
            assertThat(get(id).body()).contains("\"version\":1").contains("no version");
            assertThat(live.isQuiet(1_000)).isTrue();
        }
        assertThat(TestRequests.anonymous(server())
                        .put(id, "{\"text\":\"ours\"}")
                        .body())
                .contains("\"version\":2");
    }

    /** A program that counts versions like Orestes is not disturbed by versions of the server. */
    @Test
    void update_ofAnotherProgramThatCountsVersions_retainsItsVersion() throws Exception {
        put("old");
        try (Events live = Events.open(server(), bucket)) {
            update("{$set: {text: 'mine'}, $inc: {version: 1}}");

            assertThat(live.next()).isEqualTo("change update a mine");
            assertThat(live.isQuiet(1_000)).isTrue();
        }
        assertThat(get(id).body()).contains("\"version\":2");
        assertThat(stored().getInt64("version").getValue()).isEqualTo(2);
    }

    @Test
    void deletion_byAnotherProgram_isPublishedAndTheNextLifeIsVisible() throws Exception {
        put("old");
        get(id);
        try (Events live = Events.open(server(), bucket)) {
            collection().deleteOne(byId());
            assertThat(live.next()).isEqualTo("remove delete a -");
            assertThat(get(id).statusCode()).isEqualTo(404);
            assertThat(isStale(id)).isTrue();

            put("again");
            assertThat(live.next()).isEqualTo("add insert a again");
        }
    }

    @Test
    void ownWrites_arePublishedOnceAndRetainTheirVersions() throws Exception {
        double own = changes("own");
        double published = changes("told");
        double renewed = changes("renewed");
        try (Events live = Events.open(server(), bucket)) {
            for (int version = 1; version <= 20; version++) {
                assertThat(put("t" + version).body()).contains("\"version\":" + version);
            }
            assertThat(TestRequests.anonymous(server()).delete(id).statusCode()).isEqualTo(204);

            assertThat(live.next()).isEqualTo("add insert a t1");
            for (int version = 2; version <= 20; version++) {
                assertThat(live.next()).isEqualTo("change update a t" + version);
            }
            assertThat(live.next()).startsWith("remove delete a");
            assertThat(live.isQuiet(2_000)).isTrue();
        }
        Waiting.until("own changes are recognised", () -> changes("own") >= own + 21);
        assertThat(changes("told")).isEqualTo(published);
        assertThat(changes("renewed")).isEqualTo(renewed);
    }

    /** The write is one of a server that died before it notified the others. */
    @Test
    void write_ofAServerThatDiedBeforeReplication_isPublishedUnderItsVersion() throws Exception {
        put("old");
        get(id);
        Vertx vertx = Vertx.vertx();
        MongoObjectStore dying = await(MongoObjectStore.open(vertx, MongoConfig.at(mongod.address())));
        try (Events live = Events.open(server(), bucket)) {
            ObjectRef ref = new ObjectRef(bucket, "a");
            BsonDocument fields = BsonDocument.parse("{text: 'untold'}");
            await(dying.replace(ref, fields, Precondition.none(), Principal.SERVER));
            assertThat(live.next()).isEqualTo("change update a untold");
            assertThat(get(id).body()).contains("\"version\":2");
            assertThat(isStale(id)).isTrue();

            await(dying.delete(ref, Precondition.none(), Principal.SERVER));
            assertThat(live.next()).startsWith("remove delete a");
        } finally {
            await(dying.close());
            await(vertx.close());
        }
    }

    @Test
    void increments_byAProgramThatCountsVersions_areNotLost() throws Exception {
        put("counter");
        TestRequests ours = TestRequests.anonymous(server());
        Thread other = new Thread(() -> {
            for (int i = 0; i < 100; i++) {
                update("{$inc: {n: 1, version: 1}}");
            }
        });
        update("{$set: {n: {$numberLong: '0'}}}");
        other.start();
        for (int i = 0; i < 100; i++) {
            assertThat(ours.post(id, "{\"$inc\":{\"n\":1}}").statusCode()).isEqualTo(200);
        }
        other.join(30_000);

        assertThat(stored().getNumber("n").intValue()).isEqualTo(200);
        Waiting.until("all agree", this::isReadAsStored);
    }

    /**
     * The loss of the state that it read cannot be detected; but all readers finally see the stored
     * state.
     */
    @Test
    void increments_ofOneThatDoesNotCountVersions_areSeenByAll() throws Exception {
        put("counter");
        TestRequests ours = TestRequests.anonymous(server());
        update("{$set: {n: {$numberLong: '0'}}}");
        try (Events live = Events.open(server(), bucket)) {
            Thread other = new Thread(() -> {
                for (int i = 0; i < 100; i++) {
                    update("{$inc: {n: 1}}");
                }
            });
            other.start();
            for (int i = 0; i < 50; i++) {
                assertThat(ours.post(id, "{\"$inc\":{\"n\":1000}}").statusCode())
                        .isEqualTo(200);
                get(id);
            }
            other.join(30_000);
            update("{$set: {text: 'last'}}");

            String event = live.next();
            while (!event.equals("change update a last")) {
                event = live.next();
            }
        }
        Waiting.until("all agree", this::isReadAsStored);
    }

    private boolean isReadAsStored() {
        BsonDocument read = BsonDocument.parse(get(id).body());
        return read.getNumber("n").longValue() == stored().getNumber("n").longValue()
                && read.getNumber("version").longValue()
                        == stored().getNumber("version").longValue();
    }

    @Test
    void restart_othersWroteMeanwhile_copiesFromBeforeAreStale() {
        put("old");
        String etag = TestRequests.header(get(id), "etag");
        server().close();
        update("{$set: {text: 'new'}}");

        running = start();

        awaitStale(id);
        HttpResponse<String> read = get(id, "If-None-Match", etag);
        assertThat(read.statusCode()).isEqualTo(200);
        assertThat(read.body()).contains("\"text\":\"new\"").contains("\"version\":2");
        assertThat(gaps()).isZero();
    }

    /**
     * The oplog no longer reaches back to the position, which the server reports itself when it is
     * asked for it. An error would end the subscriptions of some clients for good, whereas a
     * disconnected client reconnects.
     */
    @Test
    void position_isLostWhileReading_subscribersReconnectAndCopiesAreStale() throws Exception {
        put("old");
        get(id);
        get(query);
        assertThat(isStale(id)).isFalse();
        double gaps = gaps();
        String last;
        try (Events live = Events.open(server(), bucket)) {
            put("stored");
            assertThat(live.next()).isEqualTo("change update a stored");
            last = live.lastId();
            int before = mongod.failCommands(
                    "{times: 1}",
                    "{failCommands: ['getMore'], errorCode: 286, blockConnection: true, blockTimeMS: 4000}");
            // an earlier read would find the update
            mongod.awaitFailedCommand(before);
            update("{$set: {text: 'missed'}}");

            assertThat(live.next()).isEqualTo("end");
        }
        awaitStale(id);
        awaitStale(query);
        assertThat(gaps()).isEqualTo(gaps + 1);
        try (Events again = Events.open(server(), bucket, last)) {
            assertThat(again.first()).contains("\"text\":\"missed\"");
            update("{$set: {text: 'new'}}");
            assertThat(again.next()).isEqualTo("change update a new");
        }
        assertThat(get(id).body()).contains("\"text\":\"new\"");
    }

    @Test
    void restart_storedPositionIsRefused_readingBeginsAnew() {
        put("old");
        get(id);
        server().close();
        collection("orestes-changes")
                .updateOne(new BsonDocument(), BsonDocument.parse("{$set: {token: {_data: '82'}}}"));

        running = start();

        awaitStale(id);
        Waiting.until("that is known", () -> gaps() == 1);
        update("{$set: {text: 'new'}}");
        Waiting.until("it continues", () -> get(id).body().contains("\"text\":\"new\""));
    }

    @Test
    void collection_isDroppedByAnotherProgram_subscribersReconnectAndCopiesAreStale() throws Exception {
        put("old");
        get(id);
        String last;
        try (Events live = Events.open(server(), bucket)) {
            put("stored");
            assertThat(live.next()).isEqualTo("change update a stored");
            last = live.lastId();
            collection().drop();

            assertThat(live.next()).isEqualTo("end");
        }
        try (Events again = Events.open(server(), bucket, last)) {
            assertThat(again.first()).isEqualTo("result []");
        }
        awaitStale(id);
        assertThat(get(id).statusCode()).isEqualTo(404);
    }

    @Test
    void mongod_diesAndOthersWriteAfterItsRestart_theStreamContinues() throws Exception {
        put("old");
        get(id);
        double gaps = gaps();
        try (Events live = Events.open(server(), bucket)) {
            update("{$set: {text: 'before'}}");
            mongod.kill();
            mongod.restart();
            update("{$set: {text: 'after'}}");

            String event = live.next();
            if (event.equals("change update a before")) {
                event = live.next();
            }
            assertThat(event).isEqualTo("change update a after");
        }
        assertThat(get(id).body()).contains("\"text\":\"after\"");
        assertThat(gaps()).isEqualTo(gaps);
    }

    @Test
    void documents_ofAllKinds_areReadOrLeftOut() throws Exception {
        try (Events live = Events.open(server(), bucket)) {
            insert("{_id: ObjectId('507f1f77bcf86cd799439011'), text: 'foreign'}");
            assertThat(live.next()).isEqualTo("add insert 507f1f77bcf86cd799439011 foreign");
            insert("{_id: {no: 'id'}, text: 'new'}");
            insert("{_id: '" + id + "', text: 12, n: 'text', when: {$date: 0}, unknown: {a: 1}}");
            assertThat(live.next()).startsWith("add insert a");
        }
        assertThat(get("/db/" + bucket + "/507f1f77bcf86cd799439011").body()).contains("foreign");
        assertThat(TestRequests.anonymous(server())
                        .put("/db/" + bucket + "/507f1f77bcf86cd799439011", "{\"text\":\"ours\"}")
                        .statusCode())
                .isEqualTo(200);
        assertThat(get(id).statusCode()).isEqualTo(200);
        assertThat(get(query).body()).isEqualTo("[]");
        assertThat(get("/db/" + bucket + "/query?q=%7B%7D").statusCode()).isEqualTo(200);
        assertThat(meter("orestes_store_left_out_total")).isPositive();
    }

    @Test
    void status_namesTheReader() {
        BsonDocument store = BsonDocument.parse(get("/status").body()).getDocument("store");

        assertThat(store.getDocument("changes").getString("role").getValue()).isEqualTo("reading");
        assertThat(store.getDocument("changes").getNumber("behindMs").longValue())
                .isBetween(0L, 20_000L);
    }

    private RunningServer server() {
        return Objects.requireNonNull(running);
    }

    private RunningServer start() {
        return RunningServer.start(
                folder.resolve("data"),
                "--mongo",
                mongod.address(),
                "--root-password",
                "secret",
                "--rate-limit=off",
                "--caching.browser-max-ttl=20s",
                "--caching.shared-max-ttl=20s");
    }

    @CanIgnoreReturnValue
    private HttpResponse<String> put(String text) {
        HttpResponse<String> answer = TestRequests.anonymous(server()).put(id, "{\"text\":\"" + text + "\"}");
        assertThat(answer.statusCode()).as(answer.body()).isLessThan(300);
        return answer;
    }

    @CanIgnoreReturnValue
    private HttpResponse<String> get(String path, String... headers) {
        return TestRequests.anonymous(server()).get(path, headers);
    }

    private void insert(String json) {
        collection().insertOne(BsonDocument.parse(json));
    }

    private void update(String json) {
        collection().updateOne(byId(), BsonDocument.parse(json));
    }

    private BsonDocument stored() {
        return Objects.requireNonNull(collection().find(byId()).first());
    }

    private BsonDocument byId() {
        return new BsonDocument("_id", new BsonString(id));
    }

    private MongoCollection<BsonDocument> collection() {
        return collection(bucket);
    }

    private MongoCollection<BsonDocument> collection(String name) {
        return mongod.database().getCollection(name, BsonDocument.class);
    }

    private void awaitStale(String key) {
        Waiting.until(key + " is stale", () -> isStale(key));
    }

    private boolean isStale(String key) {
        BsonDocument filter = BsonDocument.parse(get("/bloomfilter").body());
        SketchSize size = new SketchSize(
                filter.getNumber("m").intValue(), filter.getNumber("h").intValue());
        return BloomFilter.fromBase64(size, filter.getString("b").getValue()).contains(key);
    }

    private double changes(String kind) {
        return meter("orestes_foreign_changes_total{kind=\"" + kind + "\"}");
    }

    private double gaps() {
        return meter("orestes_foreign_gaps_total");
    }

    private double meter(String name) {
        return TestRequests.root(server())
                .get("/-/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .sum();
    }
}
