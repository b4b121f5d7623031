package io.orestes.store.embedded;

import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.model.VersionStamp;
import io.invalidb.query.filter.Filter;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.store.StoreQuery;
import io.orestes.store.embedded.database.StoreOpenException;
import io.orestes.store.embedded.database.StoreOpenException.Reason;
import io.orestes.support.Scope;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.assertj.core.api.Assertions;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Kills processes that write, and checks that every write they acknowledged exists. */
final class CrashTest {

    private static final int ROUNDS = Scope.rounds(8);
    private static final int FEWEST_ACKNOWLEDGED = 250 * ROUNDS;

    @RegisterExtension
    static final StoreFixture FIXTURE = new StoreFixture();

    private final Random random = new Random(42);
    private final Map<String, Acknowledged> newest = new HashMap<>();
    private final Set<String> possiblyDeleted = new HashSet<>();
    private int acknowledged;

    @Test
    void open_afterKill9InALoop_hasEveryAcknowledgedWrite() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            writeAndKill();

            EmbeddedObjectStore store = FIXTURE.open();
            newest.forEach((key, write) -> assertHolds(store, key, write));
            assertIndexAgrees(store);
            await(store.close());
        }

        assertThat(acknowledged).isGreaterThan(FEWEST_ACKNOWLEDGED);
    }

    @Test
    void open_directoryInUseByAnotherProcess_isLocked() throws Exception {
        Process child = startWriter();
        try (BufferedReader lines = child.inputReader(StandardCharsets.UTF_8)) {
            assertThat(lines.readLine()).isNotNull();

            StoreOpenException failure = Assertions.catchThrowableOfType(StoreOpenException.class, FIXTURE::open);

            assertThat(failure.reason()).isEqualTo(Reason.LOCKED);
            assertThat(lines.readLine()).isNotNull();
        } finally {
            kill(child);
        }
    }

    private void writeAndKill() throws IOException, InterruptedException {
        Process child = startWriter();
        int until = acknowledged + 300 + random.nextInt(1_500);
        try (BufferedReader lines = child.inputReader(StandardCharsets.UTF_8)) {
            for (Optional<String> line = read(lines); line.isPresent(); line = read(lines)) {
                note(line.get());
                if (acknowledged == until) {
                    kill(child);
                }
            }
        } finally {
            kill(child);
        }
    }

    /** Returns the next complete line; the last one may have been cut off by the kill. */
    private static Optional<String> read(BufferedReader lines) throws IOException {
        return Optional.ofNullable(lines.readLine()).filter(line -> line.endsWith("."));
    }

    private void note(String line) {
        String[] parts = line.substring(0, line.length() - 1).split(" ", -1);
        if (parts.length == 1) {
            possiblyDeleted.add(parts[0]);
            return;
        }
        VersionStamp stamp = new VersionStamp(Long.parseLong(parts[1]), Long.parseLong(parts[2]));
        newest.put(parts[0], new Acknowledged(stamp, Long.parseLong(parts[3])));
        possiblyDeleted.remove(parts[0]);
        acknowledged++;
    }

    private void assertHolds(EmbeddedObjectStore store, String key, Acknowledged write) {
        Optional<StoredObject> found = await(store.find(new ObjectRef(CrashWriter.BUCKET, key)));
        if (found.isPresent()) {
            assertNotOlder(found.get(), write);
        } else {
            assertThat(write.isDeletion() || possiblyDeleted.contains(key))
                    .as("%s is absent but %s was acknowledged", key, write)
                    .isTrue();
        }
    }

    /**
     * Asserts that the object is at the written state or a later one. A write in progress at the
     * kill may have been committed, too.
     */
    private static void assertNotOlder(StoredObject found, Acknowledged write) {
        if (found.stamp().equals(write.stamp())) {
            assertThat(CrashWriter.value(found)).isEqualTo(write.value());
        } else {
            assertThat(found.stamp().isAfter(write.stamp()))
                    .as("%s is at %s but %s was acknowledged", found.ref(), found.stamp(), write)
                    .isTrue();
        }
    }

    private static void assertIndexAgrees(EmbeddedObjectStore store) {
        List<StoredObject> all = await(store.scan(CrashWriter.BUCKET, "", 1_000));
        assertThat(await(store.indexes(CrashWriter.BUCKET))).hasSize(1);
        assertThat(await(store.query(StoreQuery.all(CrashWriter.BUCKET, filter("{value: {$gte: 0}}")))))
                .isEqualTo(all);
    }

    private static Filter filter(String json) {
        return Filter.parse(BsonDocument.parse(json));
    }

    private static Process startWriter() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashWriter.class.getName(),
                        FIXTURE.directory().toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void kill(Process child) throws InterruptedException {
        child.toHandle().destroyForcibly(); // Process.destroyForcibly would also close the stream we still read
        child.waitFor();
    }

    private record Acknowledged(VersionStamp stamp, long value) {

        private boolean isDeletion() {
            return value < 0;
        }
    }
}
