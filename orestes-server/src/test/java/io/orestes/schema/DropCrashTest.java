package io.orestes.schema;

import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.filter.Filter;
import io.orestes.store.ObjectStore;
import io.orestes.store.embedded.EmbeddedObjectStore;
import io.orestes.store.embedded.database.EmbeddedStoreConfig;
import io.orestes.support.Scope;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills processes that drop a class, and checks that nothing of it is left. */
class DropCrashTest {

    private static final int MOST_ROUNDS = 20;
    private static final int ROUNDS_IN_THE_MIDDLE = Scope.rounds(3);

    private final Vertx vertx = Vertx.vertx();
    private final Random random = new Random(11);
    private final Path directory;
    private int unfinished;

    DropCrashTest(@TempDir Path parent) {
        directory = parent.resolve("data");
    }

    @AfterEach
    void stopVertx() {
        await(vertx.close());
    }

    @Test
    void open_afterKill9InTheMiddleOfADrop_hasNothingOfTheClass() throws Exception {
        for (int round = 0; round < MOST_ROUNDS && unfinished < ROUNDS_IN_THE_MIDDLE; round++) {
            new ProcessKiller(DropWriter.class, directory, random).run(2);

            ObjectStore store = EmbeddedObjectStore.open(vertx, EmbeddedStoreConfig.at(directory));
            unfinished += count(store) % DropWriter.OBJECTS == 0 ? 0 : 1;
            assertAgreement(store, await(SchemaRegistry.open(store)));
            await(store.close());
        }

        assertThat(unfinished).as("rounds that were killed in the middle").isPositive();
    }

    private static void assertAgreement(ObjectStore store, SchemaRegistry schemas) {
        if (schemas.current().find(DropWriter.BUCKET).isEmpty()) {
            assertThat(count(store)).isZero();
            assertThat(await(store.indexes(DropWriter.BUCKET))).isEmpty();
        }
    }

    private static long count(ObjectStore store) {
        return await(store.count(DropWriter.BUCKET, Filter.ALL));
    }
}
