package io.orestes.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.caching.sketch.BloomFilter;
import io.orestes.caching.sketch.SketchSize;
import io.orestes.store.mongo.Deployment;
import io.orestes.support.mongo.Mongod;
import io.orestes.support.process.Waiting;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Writes that MongoDB does, or may do, without an answer: caches and live queries receive the
 * stored state by its change stream.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class UnansweredWritesTest {

    private static final String ID = "/db/Note/a";
    private static final int MAX_ATTEMPTS = 3;

    private final Mongod mongod = Deployment.REPLICA_SET.start();

    @AfterAll
    void stop() {
        mongod.close();
    }

    /**
     * A server that stands still for a moment during the write before may read the object again and
     * not write, when nothing is answered. Then the write is attempted again.
     */
    @Test
    void write_doneAndUnanswered_isSeenByAll(@TempDir Path data) throws Exception {
        try (RunningServer server = start(data)) {
            Optional<String> event = Optional.empty();
            for (int attempts = 0; event.isEmpty(); attempts++) {
                assertThat(attempts).as("attempts without a write").isLessThan(MAX_ATTEMPTS);
                prepare(server);
                event = eventOfUnansweredWrite(server);
            }
            assertThat(event).hasValue("change update a new");
            assertThat(get(server).body()).contains("new").contains("\"version\":2");
            assertThat(isStale(server)).isTrue();
        }
    }

    /**
     * Makes a write of which neither the answer arrives nor a read that could decide it.
     *
     * @return the live event of the write; empty if MongoDB did not make it
     */
    private Optional<String> eventOfUnansweredWrite(RunningServer server) throws Exception {
        try (Events live = Events.open(server, "Note")) {
            mongod.command("{configureFailPoint: 'waitAfterCommandFinishesExecution', mode: 'alwaysOn',"
                    + " data: {ns: 'test.Note', commands: ['findAndModify', 'find']}}");
            try {
                putUnanswered(server);
                if (countOfNew() == 0) {
                    return Optional.empty();
                }
            } finally {
                mongod.command("{configureFailPoint: 'waitAfterCommandFinishesExecution', mode: 'off'}");
            }
            return Optional.of(live.next());
        }
    }

    /**
     * The next process reads what was written since the previous one stopped reading. The write is
     * attempted again as above.
     */
    @Test
    void write_unansweredWhenTheServerStops_copiesAreStaleForTheNextOne(@TempDir Path data) {
        for (int attempts = 0; countOfNew() == 0; attempts++) {
            assertThat(attempts).as("attempts without a write").isLessThan(MAX_ATTEMPTS);
            stopDuringWrite(data);
        }

        try (RunningServer next = start(data)) {
            Waiting.until("the copy is stale", () -> isStale(next));
        }
    }

    private void stopDuringWrite(Path data) {
        CompletableFuture<Void> closed;
        RunningServer server = start(data);
        try {
            prepare(server);
            mongod.pause();
            putUnanswered(server);
        } finally {
            closed = CompletableFuture.runAsync(server::close);
            // by then it has stored what it knows; the driver continues to wait for an answer
            Waiting.pause(Duration.ofSeconds(5));
            mongod.resume();
        }
        closed.orTimeout(30, TimeUnit.SECONDS).join();
    }

    private static void putUnanswered(RunningServer server) {
        assertThat(TestRequests.anonymous(server).put(ID, "{\"text\":\"new\"}").statusCode())
                .isEqualTo(503);
    }

    private long countOfNew() {
        return mongod.database().getCollection("Note").countDocuments(BsonDocument.parse("{text: 'new'}"));
    }

    /** Stores the object of version 1, with a cached copy that is not stale. */
    private static void prepare(RunningServer server) {
        String type = "{\"class\":\"/db/Note\",\"fields\":{\"text\":{\"name\":\"text\",\"type\":\"/db/String\"}}}";
        assertThat(TestRequests.root(server).post("/schema/Note", type).statusCode())
                .isEqualTo(200);
        assertThat(TestRequests.anonymous(server).delete(ID).statusCode()).isIn(204, 404);
        assertThat(TestRequests.anonymous(server).put(ID, "{\"text\":\"old\"}").statusCode())
                .isLessThan(300);
        Waiting.until("the filter empties", () -> !isStale(server));
        assertThat(get(server).body()).contains("old");
    }

    private static HttpResponse<String> get(RunningServer server) {
        return TestRequests.anonymous(server).get(ID);
    }

    private static boolean isStale(RunningServer server) {
        BsonDocument filter = BsonDocument.parse(
                TestRequests.anonymous(server).get("/bloomfilter").body());
        SketchSize size = new SketchSize(
                filter.getNumber("m").intValue(), filter.getNumber("h").intValue());
        return BloomFilter.fromBase64(size, filter.getString("b").getValue()).contains(ID);
    }

    private RunningServer start(Path data) {
        return RunningServer.start(
                data,
                "--mongo",
                mongod.address(),
                "--mongo.deadline",
                "5s",
                "--root-password",
                "secret",
                "--rate-limit=off",
                "--caching.browser-max-ttl=20s",
                "--caching.shared-max-ttl=20s");
    }
}
