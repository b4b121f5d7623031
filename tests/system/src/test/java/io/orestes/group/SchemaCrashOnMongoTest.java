package io.orestes.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Client;
import io.orestes.support.mongo.Mongod;
import io.orestes.support.process.Waiting;
import io.orestes.support.server.Launcher;
import io.orestes.support.server.ServerProcess;
import io.orestes.system.Backend;
import io.orestes.system.KilledChange;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A server with its objects in MongoDB is killed in the middle of a change of the schema, which the
 * mongod proves.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@Tag("full")
final class SchemaCrashOnMongoTest {

    private static final int ATTEMPTS = 5;

    private final Path folder;
    private final Mongod mongo;

    SchemaCrashOnMongoTest(@TempDir Path folder) throws Exception {
        this.folder = folder;
        this.mongo = Mongod.replicaSet(folder.resolve("mongo"));
    }

    @AfterAll
    void close() {
        mongo.close();
    }

    @ParameterizedTest
    @EnumSource(KilledChange.class)
    void kill9_whileSomeObjectsAreChangedAndOthersAreNot_isFinishedByTheNextStart(KilledChange change)
            throws Exception {
        String database = "crash" + change;
        OnMongo mongod = new OnMongo(database);

        change.run(() -> start(database), mongod);

        assertThat(mongod.changed).isBetween(1L, KilledChange.OBJECTS - 1L);
        assertThat(changed(database, mongod.bucket)).isEqualTo(KilledChange.OBJECTS);
    }

    @Test
    void kill9_whileObjectsOfARemovedClassAreDeleted_isFinishedByTheNextStart() throws Exception {
        String database = "crashRemovedClass";
        long left = 0;
        for (int attempt = 0; attempt < ATTEMPTS && (left == 0 || left == KilledChange.OBJECTS); attempt++) {
            left = killWhileRemoving(database, "Removed" + attempt);
        }

        assertThat(left).isBetween(1L, KilledChange.OBJECTS - 1L);
    }

    /** Returns how many objects the dead server left, and checks their later state. */
    private long killWhileRemoving(String database, String bucket) throws Exception {
        try (ServerProcess server = start(database)) {
            Client root = Client.anonymous(server).login("root", Backend.ROOT_PASSWORD);
            KilledChange.fill(root, bucket);
            CompletableFuture<Void> removing = CompletableFuture.runAsync(() -> remove(root, bucket));
            Waiting.until("some objects are deleted", () -> mongo.count(database, bucket, "{}") < KilledChange.OBJECTS);
            server.kill();
            removing.get(60, TimeUnit.SECONDS);
        }
        long left = mongo.count(database, bucket, "{}");
        try (ServerProcess again = start(database)) {
            assertThat(mongo.count(database, bucket, "{}")).isZero();
            Client root = Client.anonymous(again).login("root", Backend.ROOT_PASSWORD);
            assertThat(root.get("/schema/" + bucket).status()).isEqualTo(461);
            KilledChange.fill(root, bucket);
            again.stop();
        }
        return left;
    }

    private static void remove(Client root, String bucket) {
        try {
            assertThat(root.delete("/schema/" + bucket).status()).isEqualTo(204);
        } catch (AssertionError killed) {
            assertThat(killed).hasMessageContaining("got no answer");
        }
    }

    /** Observes the progress of the server in the database. */
    private final class OnMongo implements KilledChange.KillObserver {

        private final String database;
        private String bucket = "";
        private long changed;

        private OnMongo(String database) {
            this.database = database;
        }

        @Override
        public void awaitMiddle(String of, int attempt) {
            Waiting.until("some objects are changed", () -> changed(database, of) > 0);
        }

        @Override
        public void look(String of) {
            bucket = of;
            changed = changed(database, of);
        }
    }

    /** Counts the rewritten objects: each has another version. */
    private long changed(String database, String bucket) {
        return mongo.count(database, bucket, "{version: 2}");
    }

    private ServerProcess start(String database) throws InterruptedException {
        return ServerProcess.whenReady(Launcher.here()
                .run(
                        "start",
                        "--port=0",
                        "--data=" + folder.resolve(database),
                        "--mongo=" + mongo.connectionString(database),
                        "--mongo.deadline=30s",
                        "--root-password=" + Backend.ROOT_PASSWORD,
                        "--query.max-results=" + KilledChange.OBJECTS));
    }
}
