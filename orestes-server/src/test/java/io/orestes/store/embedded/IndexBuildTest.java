package io.orestes.store.embedded;

import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.store.IndexKeys;
import io.orestes.store.WriteGuard;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

/** A unique index that is filled while objects change, step by step as the committer would take them. */
final class IndexBuildTest {

    private static final int OBJECTS = 700;
    private static final IndexKeys NUMBER = IndexKeys.ascending("n").asUnique();

    private final Vertx vertx = Vertx.vertx();
    private final Database database;
    private final IndexCatalog catalog;

    IndexBuildTest(@TempDir Path folder) throws RocksDBException {
        database = Database.open(folder, StoreConfig.at(folder), true);
        catalog = IndexCatalog.load(database);
    }

    @BeforeEach
    void fill() {
        IntStream.range(0, OBJECTS).forEach(i -> put(key(i), i));
    }

    @AfterEach
    void tearDown() {
        database.close();
        await(vertx.close());
    }

    @Test
    void step_objectAheadGivesUpWhatOneBehindHolds_itStaysHeld() {
        put(key(OBJECTS - 1), 0);
        IndexBuild build = begun();

        put(key(OBJECTS - 1), -1);
        finish(build);

        assertThat(refusal("other", 0)).isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
    }

    @Test
    void step_objectAheadIsDeletedThatHasTheValueOfOneBehind_itStaysHeld() {
        put(key(OBJECTS - 1), 0);
        IndexBuild build = begun();

        delete(key(OBJECTS - 1));
        finish(build);

        assertThat(refusal("other", 0)).isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
    }

    @Test
    void step_objectBehindGivesItsValueToOneAhead_thatHoldsIt() {
        IndexBuild build = begun();

        put(key(0), -1);
        put(key(OBJECTS - 1), 0);
        finish(build);

        assertThat(refusal("other", 0)).isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
        assertThat(refusal("other", -1)).isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
        put("other", OBJECTS - 1);
    }

    @Test
    void load_processEndedDuringTheBuild_theNextGoesOnWhereItWas() {
        IndexBuild cutShort = begun();
        put(key(0), -1);

        IndexCatalog next = IndexCatalog.load(database);
        IndexDefinition index = next.unready().get(0);
        double progress = next.progress(index);
        IndexBuild build = new IndexBuild(database, next, "Item", NUMBER, Reply.toCaller(vertx));
        int steps = 1;
        while (build.step(new Replies())) {
            steps++;
        }

        assertThat(cutShort.step(new Replies())).isTrue();
        assertThat(progress).isBetween(0.01, 0.99);
        assertThat(steps).isEqualTo(3);
        assertThat(next.unready()).isEmpty();
        assertThat(IndexCatalog.load(database).ready("Item"))
                .extracting(IndexDefinition::keys)
                .containsExactly(NUMBER);
        assertThat(entries()).isEqualTo(OBJECTS);
    }

    /** Of the index, without claims. */
    private int entries() {
        List<byte[]> found = new ArrayList<>();
        try (View view = database.view()) {
            KeyRange sole = KeyRange.prefix(new byte[] {0, 0, 0, 1, IndexEntries.SOLE[0]});
            view.visit(Family.INDEXES, sole, (key, value) -> found.add(key));
        }
        return found.size();
    }

    private IndexBuild begun() {
        IndexBuild build = new IndexBuild(database, catalog, "Item", NUMBER, Reply.toCaller(vertx));
        assertThat(build.step(new Replies())).isTrue();
        return build;
    }

    private static void finish(IndexBuild build) {
        boolean hasMore = true;
        while (hasMore) {
            hasMore = build.step(new Replies());
        }
    }

    private ErrorCode refusal(String key, int n) {
        return catchThrowableOfType(ApiException.class, () -> put(key, n)).code();
    }

    private void put(String key, int n) {
        Draft draft = new Draft(ref(key), new BsonDocument("n", new BsonInt32(n)));
        WriteGuard guard = WriteGuard.of(Precondition.none(), Principal.SERVER);
        try (Group group = group()) {
            StoredObject stored = new Put(draft, guard, Reply.toCaller(vertx)).apply(group);
            group.commit();
            assertThat(stored.ref()).isEqualTo(ref(key));
        }
    }

    private void delete(String key) {
        WriteGuard guard = WriteGuard.of(Precondition.none(), Principal.SERVER);
        try (Group group = group()) {
            assertThat(new Delete(ref(key), guard, Reply.toCaller(vertx)).apply(group))
                    .isPresent();
            group.commit();
        }
    }

    private Group group() {
        return new Group(database, catalog, InstantSource.system());
    }

    /** Sorts as its number. */
    private static String key(int number) {
        return "k" + (1_000 + number);
    }

    private static ObjectRef ref(String key) {
        return new ObjectRef("Item", key);
    }
}
