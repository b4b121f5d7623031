package io.orestes.store.embedded;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.store.IndexSpec;
import io.orestes.store.ObjectStore;
import io.orestes.store.UniqueIndexContract;
import io.vertx.core.Future;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * {@link UniqueIndexContract} for the embedded store, and its additional guarantee: writes happen
 * in the order of their requests.
 */
final class EmbeddedUniqueIndexTest extends UniqueIndexContract {

    private static final IndexSpec NAME = IndexSpec.ascending("name").asUnique();

    @RegisterExtension
    static final StoreFixture FIXTURE = new StoreFixture();

    private EmbeddedObjectStore store;

    @BeforeEach
    void open() {
        store = FIXTURE.open();
    }

    @Override
    protected ObjectStore store() {
        return store;
    }

    @Test
    void writesOfOneGroup_seeEachOthersClaims() {
        await(store.createIndex("Item", NAME));

        Future<?> first = put("a", "x");
        Future<?> twin = put("b", "x");
        Future<?> moved = put("a", "y");
        Future<?> freed = put("b", "x");
        Future<?> gone = store.delete(ref("a"), Precondition.none(), Principal.SERVER);
        Future<?> heir = put("c", "y");
        awaitAll(List.of(first, twin, moved, freed, gone, heir));

        assertThat(List.of(first, twin, moved, freed, gone, heir))
                .extracting(Future::succeeded)
                .containsExactly(true, false, true, true, true, true);
    }

    @Test
    void open_again_stillHolds() {
        await(store.createIndex("Item", NAME));
        await(put("a", "x"));
        await(store.close());

        store = FIXTURE.open();

        assertThat(await(store.indexes("Item"))).containsExactly(NAME);
        assertThat(failureOf(put("b", "x")).code()).isEqualTo(ErrorCode.UNIQUE_INDEX_EXCEPTION);
    }

    private Future<StoredObject> put(String key, String name) {
        return store.replace(
                ref(key), new BsonDocument("name", new BsonString(name)), Precondition.none(), Principal.SERVER);
    }

    private static ObjectRef ref(String key) {
        return new ObjectRef("Item", key);
    }
}
