package io.orestes.schema;

import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.filter.Filter;
import io.orestes.model.StoredObject;
import io.orestes.schema.model.Schema;
import io.orestes.store.IndexSpec;
import io.orestes.store.ObjectStore;
import io.orestes.store.StoreQuery;
import io.orestes.store.embedded.EmbeddedObjectStore;
import io.orestes.store.embedded.database.EmbeddedStoreConfig;
import io.orestes.support.Scope;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills processes that rename a field, and checks that all objects have the name that is in the
 * schema.
 */
class RenameCrashTest {

    private static final int MOST_ROUNDS = 20;
    private static final int ROUNDS_IN_THE_MIDDLE = Scope.rounds(4);

    private final Vertx vertx = Vertx.vertx();
    private final Random random = new Random(7);
    private final Path directory;
    private int unfinished;

    RenameCrashTest(@TempDir Path parent) {
        directory = parent.resolve("data");
    }

    @AfterEach
    void stopVertx() {
        await(vertx.close());
    }

    @Test
    void open_afterKill9InTheMiddleOfARename_hasAllValuesUnderTheNameOfTheSchema() throws Exception {
        for (int round = 0; round < MOST_ROUNDS && unfinished < ROUNDS_IN_THE_MIDDLE; round++) {
            new ProcessKiller(RenameWriter.class, directory, random).run(1);

            ObjectStore store = EmbeddedObjectStore.open(vertx, EmbeddedStoreConfig.at(directory));
            unfinished += count(store, "a") % RenameWriter.OBJECTS == 0 ? 0 : 1;
            assertAgreement(store, await(SchemaRegistry.open(store)).current());
            await(store.close());
        }

        assertThat(unfinished).as("rounds that were killed in the middle").isPositive();
    }

    private static void assertAgreement(ObjectStore store, Schema schema) {
        String name = RenameWriter.name(schema);
        List<StoredObject> all = await(store.query(StoreQuery.all(RenameWriter.BUCKET, Filter.ALL)));
        assertThat(all)
                .extracting(object -> object.document().getInt32(name).getValue())
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, RenameWriter.OBJECTS).boxed().toList());
        assertThat(all).allMatch(object -> object.document().size() == 5);
        assertThat(await(store.indexes(RenameWriter.BUCKET)))
                .containsExactly(IndexSpec.ascending(name).asUnique());
        assertThat(count(store, name)).isEqualTo(RenameWriter.OBJECTS);
        for (int i = 0; i < RenameWriter.OBJECTS; i += 100) {
            assertThat(await(store.count(RenameWriter.BUCKET, Filter.parse(new BsonDocument(name, new BsonInt32(i))))))
                    .isEqualTo(1);
        }
    }

    private static long count(ObjectStore store, String name) {
        return await(
                store.count(RenameWriter.BUCKET, Filter.parse(BsonDocument.parse("{" + name + ": {$exists: true}}"))));
    }
}
