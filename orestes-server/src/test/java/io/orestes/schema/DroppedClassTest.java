package io.orestes.schema;

import static io.orestes.schema.TestSchemas.json;
import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.Schema;
import io.orestes.store.ForwardingStore;
import io.orestes.store.IndexSpec;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A dropped class leaves nothing behind, in spite of concurrent writes. */
class DroppedClassTest extends EmptyStoreFixture {

    private SchemaRegistry registry;

    @BeforeEach
    void openRegistry() {
        registry = await(SchemaRegistry.open(store));
        create();
    }

    @Test
    void write_checkedBeforeItsClassWasDropped_isRefusedAndNotBackWithTheClass() {
        long schemaEpoch = store.schemaEpoch("A");
        ClassSchema checked = registry.current().entity("A");
        drop();

        Future<StoredObject> late = store.insert(new ObjectRef(checked.name(), "late"), number(1), schemaEpoch);

        assertThat(failureOf(late).code()).isEqualTo(ErrorCode.BUCKET_NOT_FOUND);
        create();
        assertThat(objects()).isEmpty();
    }

    @Test
    void drop_writersAtWork_leavesNothingAndTheNextClassKeepsAll() {
        List<Future<StoredObject>> refused = new ArrayList<>();
        for (int round = 0; round < 10; round++) {
            List<Future<StoredObject>> writes = new ArrayList<>(writes(300));
            Future<Schema> dropped = registry.delete("A", Principal.SERVER);
            while (!dropped.isComplete()) {
                List<Future<StoredObject>> more = writes(20);
                awaitAll(more);
                writes.addAll(more);
            }
            awaitAll(writes);
            writes.stream().filter(Future::failed).forEach(refused::add);
            assertThat(objects()).isEmpty();

            create();
            await(write(1));
            assertThat(objects()).hasSize(1);
        }
        assertThat(refused).extracting(DroppedClassTest::codeOf).containsOnly(ErrorCode.BUCKET_NOT_FOUND);
    }

    @Test
    void drop_indexBeingFilled_goesWithTheClass() {
        awaitAll(writes(2_000));
        Future<Void> index = store.createIndex("A", IndexSpec.ascending("n").asUnique());

        drop();

        assertThat(failureOf(index).code()).isEqualTo(ErrorCode.BUCKET_NOT_FOUND);
        create();
        await(write(7));
        await(write(7));
        assertThat(await(store.indexes("A"))).isEmpty();
    }

    @Test
    void open_classWasDroppedAndItsObjectsNot_dropsThemAndItsIndexes() {
        awaitAll(writes(700));
        await(store.createIndex("A", IndexSpec.ascending("n")));
        SchemaRegistry broken = await(SchemaRegistry.open(new UndroppableStore()));
        assertThat(failureOf(broken.delete("A", Principal.SERVER)).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(objects()).hasSize(700);

        registry = await(SchemaRegistry.open(store));

        assertThat(registry.current().find("A")).isEmpty();
        assertThat(objects()).isEmpty();
        assertThat(await(store.indexes("A"))).isEmpty();
        assertThat(await(SchemaRegistry.open(store)).current().find("A")).isEmpty();
    }

    private List<Future<StoredObject>> writes(int count) {
        return IntStream.range(0, count).mapToObj(this::write).toList();
    }

    /** Writes an object, with the steps in the order of {@code WritePipeline}. */
    private Future<StoredObject> write(int n) {
        long schemaEpoch = store.schemaEpoch("A");
        return registry.current().find("A").isEmpty()
                ? Future.failedFuture(new ApiException(ErrorCode.BUCKET_NOT_FOUND, "There is no class /db/A"))
                : store.insert(new ObjectRef("A", UUID.randomUUID().toString()), number(n), schemaEpoch);
    }

    private void create() {
        Schema unused = await(
                registry.merge(json("{'class': '/db/A', 'fields': {'n': {'type': '/db/Integer'}}}"), Principal.SERVER));
    }

    private void drop() {
        Schema unused = await(registry.delete("A", Principal.SERVER));
    }

    private List<StoredObject> objects() {
        return await(store.scan("A", "", 1_000));
    }

    private static BsonDocument number(int n) {
        return new BsonDocument("n", new BsonInt32(n));
    }

    private static ErrorCode codeOf(Future<?> failed) {
        return ApiException.of(failed.cause()).code();
    }

    /** A store that cannot drop buckets. */
    private final class UndroppableStore extends ForwardingStore {

        private UndroppableStore() {
            super(store);
        }

        @Override
        public Future<Void> drop(String bucket, Runnable guard, Consumer<List<Tombstone>> deleted) {
            return Future.failedFuture(new ApiException(ErrorCode.UNAVAILABLE, "The disk is full"));
        }
    }
}
