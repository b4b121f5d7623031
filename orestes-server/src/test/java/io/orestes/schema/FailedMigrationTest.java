package io.orestes.schema;

import static io.orestes.schema.TestSchemas.json;
import static io.orestes.schema.TestSchemas.object;
import static io.orestes.store.Await.await;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Principal;
import io.orestes.schema.model.Schema;
import io.orestes.store.DocumentRewrite;
import io.orestes.store.ForwardingStore;
import io.vertx.core.Future;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes of the schema whose objects cannot be rewritten at first. */
class FailedMigrationTest extends EmptyStoreFixture {

    private static final String RENAME = "{'operation': 'renameField', 'bucket': '/db/A', 'from': 'n', 'to': 'm'}";
    private static final ObjectRef REF = new ObjectRef("A", "1");

    private final AtomicInteger failures = new AtomicInteger();
    private SchemaRegistry registry;

    @BeforeEach
    void openRegistry() {
        registry = await(SchemaRegistry.open(new FailingStore()));
        Schema unused = await(merge("{'class': '/db/A', 'fields': {'n': {'type': '/db/Integer'}}}"));
        assertThat(await(store.insert(REF, object("{'n': 7}"))).version()).isEqualTo(1);
    }

    @Test
    void rename_rewritingFailsOnce_succeeds() {
        failures.set(1);

        Schema after = await(merge(RENAME));

        assertThat(after.get("A").ownField("m")).isPresent();
        assertThat(stored().get("m")).isEqualTo(new BsonInt64(7));
    }

    @Test
    void rename_rewritingFailsForLonger_isFinishedBeforeTheNextChange() {
        failures.set(2);
        assertThat(failureOf(merge(RENAME)).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(registry.current().get("A").ownField("n")).isPresent();

        Schema after = await(merge("{'class': '/db/B'}"));

        assertThat(after.get("A").ownField("m")).isPresent();
        assertThat(after.find("B")).isPresent();
        assertThat(stored().get("m")).isEqualTo(new BsonInt64(7));
        assertThat(await(SchemaRegistry.open(store)).current().descriptors()).isEqualTo(after.descriptors());
    }

    private Future<Schema> merge(String request) {
        return registry.merge(json(request), Principal.SERVER);
    }

    private BsonDocument stored() {
        return await(store.find(REF)).orElseThrow().document();
    }

    /** A store whose next {@code failures} rewrites fail. */
    private final class FailingStore extends ForwardingStore {

        private FailingStore() {
            super(store);
        }

        @Override
        public Future<Void> rewrite(Map<String, DocumentRewrite> rewrites, Runnable done) {
            return failures.getAndDecrement() > 0 && !rewrites.isEmpty()
                    ? Future.failedFuture(new ApiException(ErrorCode.UNAVAILABLE, "The disk is full"))
                    : super.rewrite(rewrites, done);
        }
    }
}
