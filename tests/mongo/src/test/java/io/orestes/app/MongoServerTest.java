package io.orestes.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.store.mongo.Deployment;
import io.orestes.support.mongo.Mongod;
import io.orestes.support.process.Waiting;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A whole server whose objects are in MongoDB. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MongoServerTest {

    /** Limit in seconds, longer than a working mongod ever needs, also on a busy machine. */
    private static final int DEADLINE_SECONDS = 6;

    private final Mongod mongod = Deployment.REPLICA_SET.start();

    @AfterAll
    void stop() {
        mongod.close();
    }

    @Test
    void write_isReadAfterARestartOnAnotherFolder(@TempDir Path first, @TempDir Path second) {
        try (RunningServer server = start(first)) {
            HttpResponse<String> written = TestRequests.root(server)
                    .post("/db/demo.Todo", "{\"id\": \"/db/demo.Todo/kept\", \"text\": \"buy milk\"}");
            assertThat(written.statusCode()).isEqualTo(201);
        }

        try (RunningServer server = start(second)) {
            HttpResponse<String> read = TestRequests.anonymous(server).get("/db/demo.Todo/kept");

            assertThat(read.statusCode()).isEqualTo(200);
            assertThat(BsonDocument.parse(read.body()).getString("text").getValue())
                    .isEqualTo("buy milk");
        }
    }

    @Test
    void status_namesTheStore(@TempDir Path data) {
        try (RunningServer server = start(data)) {
            BsonDocument status = BsonDocument.parse(
                    TestRequests.anonymous(server).get("/status").body());

            assertThat(status.getDocument("store").getString("name").getValue()).startsWith("MongoDB 6.0.");
            assertThat(status.getDocument("store").getArray("missing")).isEmpty();
        }
    }

    /** The user has no more than the role that the documentation names. */
    @Test
    void mongodRequiresAPassword_hasAllCapabilities(@TempDir Path data) {
        try (Mongod guarded = Deployment.REPLICA_SET_WITH_PASSWORD.start();
                RunningServer server = start(data, guarded.addressOfUser("{role: 'readWrite', db: 'test'}"))) {
            TestRequests root = TestRequests.root(server);
            HttpResponse<String> written =
                    root.post("/db/demo.Todo", "{\"id\": \"/db/demo.Todo/kept\", \"text\": \"buy milk\"}");
            BsonDocument status = BsonDocument.parse(root.get("/status").body());

            assertThat(written.statusCode()).isEqualTo(201);
            assertThat(TestRequests.anonymous(server).get("/db/demo.Todo/kept").body())
                    .contains("buy milk");
            assertThat(status.getDocument("store").getArray("missing")).isEmpty();
            assertThat(status.toJson()).doesNotContain("user1");
        }
    }

    @Test
    void anyRequest_mongodIsDown_isUnavailableAndServedWhenItIsBack(@TempDir Path data) {
        try (RunningServer server = start(data)) {
            TestRequests root = TestRequests.root(server);
            mongod.kill();
            HttpResponse<String> write = root.post("/db/demo.Todo", "{\"text\": \"lost\"}");
            HttpResponse<String> health = root.get("/-/ready");
            mongod.restart();

            assertThat(write.statusCode()).isEqualTo(503);
            assertThat(write.headers().firstValue("Retry-After")).isPresent();
            assertThat(health.statusCode()).isEqualTo(503);
            assertThat(root.post("/db/demo.Todo", "{\"text\": \"kept\"}").statusCode())
                    .isEqualTo(201);
        }
    }

    @Test
    void mongodIsPaused_cachedReadsSucceedAndWritesAreUnavailable(@TempDir Path data) {
        try (RunningServer server = start(data)) {
            TestRequests root = TestRequests.root(server);
            TestRequests anonymous = TestRequests.anonymous(server);
            HttpResponse<String> written =
                    root.post("/db/demo.Todo", "{\"id\": \"/db/demo.Todo/read\", \"text\": \"old\"}");
            assertThat(written.statusCode()).isEqualTo(201);
            assertThat(anonymous.get("/db/demo.Todo/read").statusCode()).isEqualTo(200);

            mongod.pause();
            HttpResponse<String> read = anonymous.get("/db/demo.Todo/read");
            HttpResponse<String> write = root.put("/db/demo.Todo/read", "{\"text\": \"lost\"}");
            mongod.resume();

            assertThat(read.statusCode()).isEqualTo(200);
            assertThat(write.statusCode()).isEqualTo(503);
            assertThat(write.headers().firstValue("Retry-After")).isPresent();
            HttpResponse<String> later = root.put("/db/demo.Todo/read", "{\"text\": \"new\"}");
            assertThat(later.statusCode()).isEqualTo(200);
            assertThat(anonymous.get("/db/demo.Todo/read").body()).contains("new");
        }
    }

    /** The first request waits until MongoDB is found to be away, and others do not wait for it. */
    @Test
    void mongodIsPaused_cachedReadsOfLoggedInUsersSucceed(@TempDir Path data) throws Exception {
        try (RunningServer server = start(data)) {
            TestRequests root = TestRequests.root(server);
            assertThat(root.post("/db/demo.Todo", "{\"id\": \"/db/demo.Todo/cached\", \"text\": \"old\"}")
                            .statusCode())
                    .isEqualTo(201);
            assertThat(root.get("/db/demo.Todo/cached").statusCode()).isEqualTo(200);

            mongod.pause();
            try {
                Waiting.pause(Duration.ofMillis(2_500));
                HttpResponse<String> first = root.get("/db/demo.Todo/cached");
                long begin = System.nanoTime();
                HttpResponse<String> second = root.get("/db/demo.Todo/cached");
                long taken = System.nanoTime() - begin;

                assertThat(first.statusCode()).isEqualTo(200);
                assertThat(second.statusCode()).isEqualTo(200);
                assertThat(second.body()).contains("old");
                assertThat(Duration.ofNanos(taken)).isLessThan(Duration.ofSeconds(DEADLINE_SECONDS));
                assertThat(root.put("/db/demo.Todo/cached", "{\"text\": \"lost\"}")
                                .statusCode())
                        .isEqualTo(503);
            } finally {
                mongod.resume();
            }
        }
    }

    private RunningServer start(Path data) {
        return start(data, mongod.address());
    }

    private static RunningServer start(Path data, String address) {
        return RunningServer.start(
                data,
                "--mongo",
                address,
                "--mongo.deadline",
                DEADLINE_SECONDS + "s",
                "--demo",
                "--root-password",
                "secret");
    }
}
