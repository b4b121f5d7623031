package io.orestes.store.embedded.database;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.invalidb.query.filter.Filter;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.store.IndexSpec;
import io.orestes.store.ManualClock;
import io.orestes.store.StoreQuery;
import io.orestes.store.embedded.EmbeddedObjectStore;
import io.orestes.store.embedded.StoreFiles;
import io.orestes.store.embedded.StoreFixture;
import io.orestes.store.embedded.database.StoreOpenException.Reason;
import io.orestes.store.embedded.index.EmbeddedIndexCatalog;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Failures that a data directory survives, and the errors if it cannot be used. */
final class DataDirectoryTest {

    private static final ObjectRef REF = new ObjectRef("Todo", "a");

    @RegisterExtension
    static final StoreFixture FIXTURE = new StoreFixture();

    private StoreFiles files;

    @BeforeEach
    void look() {
        files = new StoreFiles(FIXTURE.directory());
    }

    @Test
    void open_afterClose_hasObjectsIndexesAndEndsOfLives() {
        ManualClock clock = new ManualClock();
        EmbeddedObjectStore store = FIXTURE.open(clock);
        await(store.createIndex("Todo", IndexSpec.ascending("n")));
        StoredObject kept = await(store.insert(REF, new BsonDocument("n", new BsonInt32(1))));
        ObjectRef gone = new ObjectRef("Todo", "gone");
        StoredObject ended = await(store.insert(gone, new BsonDocument()));
        await(store.delete(gone, Precondition.none(), Principal.SERVER));
        await(store.close());

        EmbeddedObjectStore reopened = FIXTURE.open(clock);

        assertThat(await(reopened.find(REF))).contains(kept);
        assertThat(await(reopened.indexes("Todo"))).containsExactly(IndexSpec.ascending("n"));
        assertThat(await(reopened.query(StoreQuery.all("Todo", Filter.parse(BsonDocument.parse("{n: 1}"))))))
                .containsExactly(kept);
        assertThat(reopened.statistics().objectsExamined()).isEqualTo(1);
        assertThat(await(reopened.insert(gone, new BsonDocument())).createdAt()).isGreaterThan(ended.updatedAt());
    }

    @Test
    void open_indexWhoseBuildWasCutShort_isFilled() throws Exception {
        EmbeddedObjectStore store = FIXTURE.open();
        fill(store, 10);
        await(store.close());
        try (RocksDatabase rocksDatabase = RocksDatabase.open(
                FIXTURE.directory().resolve(DataDirectory.DATABASE),
                EmbeddedStoreConfig.at(FIXTURE.directory()),
                false)) {
            var unused = EmbeddedIndexCatalog.load(rocksDatabase).declare("Todo", IndexSpec.ascending("n"));
        }

        EmbeddedObjectStore reopened = FIXTURE.open();

        assertThat(await(reopened.count("Todo", Filter.parse(BsonDocument.parse("{n: 7}")))))
                .isEqualTo(1);
        await(reopened.createIndex("Todo", IndexSpec.ascending("n")));
        assertThat(await(reopened.indexes("Todo"))).containsExactly(IndexSpec.ascending("n"));
        assertThat(await(reopened.count("Todo", Filter.parse(BsonDocument.parse("{n: 7}")))))
                .isEqualTo(1);
    }

    @Test
    void open_directoryInUse_isLocked() {
        EmbeddedObjectStore store = FIXTURE.open();
        StoredObject stored = await(store.insert(REF, new BsonDocument()));

        assertThat(failureToOpen().reason()).isEqualTo(Reason.LOCKED);

        assertThat(await(store.find(REF))).contains(stored);
        assertThat(await(store.replace(REF, new BsonDocument(), Precondition.none(), Principal.SERVER))
                        .version())
                .isEqualTo(2);
    }

    @Test
    void open_directoryWithForeignFiles_isRefusedUntouched() throws IOException {
        Files.createDirectories(FIXTURE.directory());
        Files.writeString(FIXTURE.directory().resolve("thesis.txt"), "all I have");
        Map<String, String> before = files.checksums();

        StoreOpenException failure = failureToOpen();

        assertThat(failure.reason()).isEqualTo(Reason.NOT_A_STORE);
        assertThat(failure).hasMessageContaining(FIXTURE.directory().toString());
        assertThat(files.checksums()).isEqualTo(before);
    }

    @Test
    void open_pathOfAFile_isNotAStore() throws IOException {
        Files.writeString(FIXTURE.directory(), "a file");

        assertThat(failureToOpen().reason()).isEqualTo(Reason.NOT_A_STORE);
    }

    @Test
    void open_directoryBelowAFile_isUnwritable() throws IOException {
        Files.writeString(FIXTURE.directory(), "a file");
        EmbeddedStoreConfig config = EmbeddedStoreConfig.at(FIXTURE.directory().resolve("data"));

        StoreOpenException failure =
                catchThrowableOfType(StoreOpenException.class, () -> EmbeddedObjectStore.open(FIXTURE.vertx(), config));

        assertThat(failure.reason()).isEqualTo(Reason.UNWRITABLE);
    }

    @Test
    void open_newerFormat_isRefusedUntouched() throws IOException {
        fillAndClose();
        Files.writeString(FIXTURE.directory().resolve(DataDirectory.MARKER), "orestes-store 2\n");

        refusesUntouched(Reason.NEWER_FORMAT);
    }

    @Test
    void open_markerOfSomethingElse_isNotAStore() throws IOException {
        Files.createDirectories(FIXTURE.directory());
        Files.writeString(FIXTURE.directory().resolve(DataDirectory.MARKER), "a play by Euripides");

        refusesUntouched(Reason.NOT_A_STORE);
    }

    @Test
    void open_creationWasCutShort_isRepeated() throws IOException {
        Files.createDirectories(FIXTURE.directory());
        Files.writeString(FIXTURE.directory().resolve("ORESTES.creating"), "orestes-store 1\n");

        EmbeddedObjectStore store = FIXTURE.open();

        assertThat(await(store.insert(REF, new BsonDocument())).version()).isEqualTo(1);
        assertThat(FIXTURE.directory().resolve(DataDirectory.MARKER)).exists();
    }

    @Test
    void open_damagedManifest_isCorruptedUntouched() throws IOException {
        fillAndClose();
        StoreFiles.damage(files.newest("MANIFEST-.*"));

        refusesUntouched(Reason.CORRUPTED);
    }

    @Test
    void open_truncatedCurrent_isCorruptedUntouched() throws IOException {
        fillAndClose();
        Files.write(files.newest("CURRENT"), new byte[0]);

        refusesUntouched(Reason.CORRUPTED);
    }

    @Test
    void open_missingCurrent_isCorruptedUntouched() throws IOException {
        fillAndClose();
        Files.delete(files.newest("CURRENT"));

        refusesUntouched(Reason.CORRUPTED);
    }

    @Test
    void open_missingDatabase_isCorruptedAndNotCreatedAnew() throws IOException {
        fillAndClose();
        Files.move(
                FIXTURE.directory().resolve(DataDirectory.DATABASE),
                FIXTURE.directory().resolveSibling("elsewhere"));

        refusesUntouched(Reason.CORRUPTED);
    }

    @Test
    void open_missingTable_isCorruptedUntouched() throws IOException {
        fillAndClose();
        Files.delete(files.newest(".*\\.sst"));

        refusesUntouched(Reason.CORRUPTED);
    }

    @Test
    void open_damageInTheMiddleOfTheLog_isCorruptedUntouched() throws IOException {
        crashWithLog();
        StoreFiles.damage(files.newest("[0-9]+\\.log"));

        refusesUntouched(Reason.CORRUPTED);
    }

    @Test
    void open_incompleteEndOfTheLog_losesOnlyThat() throws IOException {
        crashWithLog();
        Path log = files.newest("[0-9]+\\.log");
        byte[] whole = Files.readAllBytes(log);
        Files.write(log, Arrays.copyOf(whole, whole.length - 3));

        EmbeddedObjectStore store = FIXTURE.open();

        assertThat(await(store.count("Todo", Filter.ALL))).isEqualTo(99);
    }

    private void refusesUntouched(Reason reason) {
        Map<String, String> before = files.checksums();

        StoreOpenException failure = failureToOpen();

        assertThat(failure.reason()).as(failure.getMessage()).isEqualTo(reason);
        assertThat(failure).hasMessageContaining(FIXTURE.directory().toString());
        assertThat(files.checksums()).isEqualTo(before);
    }

    private static StoreOpenException failureToOpen() {
        return catchThrowableOfType(StoreOpenException.class, FIXTURE::open);
    }

    private static void fillAndClose() {
        EmbeddedObjectStore store = FIXTURE.open();
        fill(store, 100);
        await(store.close());
    }

    /**
     * Leaves the directory as a killed process would: with everything in the log and nothing in
     * tables.
     */
    private static void crashWithLog() throws IOException {
        EmbeddedObjectStore store = FIXTURE.open();
        IntStream.range(0, 100).forEach(i -> awaitAll(List.of(insert(store, i))));
        Path copy = FIXTURE.directory().resolveSibling("copy");
        copy(FIXTURE.directory(), copy);
        await(store.close());
        copy(copy, FIXTURE.directory());
    }

    private static void copy(Path from, Path to) throws IOException {
        delete(to);
        try (Stream<Path> sources = Files.walk(from)) {
            for (Path source : sources.toList()) {
                Files.copy(source, to.resolve(from.relativize(source).toString()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    private static void delete(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> old = Files.walk(directory)) {
                for (Path path : old.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    private static void fill(EmbeddedObjectStore store, int count) {
        awaitAll(IntStream.range(0, count).mapToObj(i -> insert(store, i)).toList());
    }

    private static Future<StoredObject> insert(EmbeddedObjectStore store, int number) {
        BsonDocument fields =
                new BsonDocument("n", new BsonInt32(number)).append("text", new BsonString("t".repeat(200)));
        return store.insert(new ObjectRef("Todo", "k" + number), fields);
    }
}
