package io.orestes.store.embedded;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.filter.Filter;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.store.Await;
import io.orestes.store.DocumentRewriteContract;
import io.orestes.store.IndexSpec;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@link DocumentRewriteContract} for the embedded store. */
final class EmbeddedRewriteTest extends DocumentRewriteContract {

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
    void rewrite_whileATruncationAndAnIndexAreUnderWay_givesThemUpAndIsComplete() {
        awaitAll(IntStream.range(0, 3_000).mapToObj(this::insert).toList());
        Future<?> index = store.createIndex("Item", IndexSpec.ascending("old"));
        Future<?> truncation = store.truncate("Item", deleted -> {});

        await(store.rewrite(RENAMED, () -> {}));

        assertThat(Await.failureOf(index).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(Await.failureOf(truncation).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(await(store.indexes("Item"))).isEmpty();
        assertThat(await(store.count("Item", Filter.parse(BsonDocument.parse("{old: {$gte: 0}}")))))
                .isZero();
        await(store.createIndex("Item", IndexSpec.ascending("new")));
        assertThat(await(store.count("Item", Filter.parse(BsonDocument.parse("{new: {$gte: 0}}")))))
                .isEqualTo(await(store.count("Item", Filter.ALL)));
    }

    private Future<?> insert(int number) {
        return store.insert(new ObjectRef("Item", "k" + number), new BsonDocument("old", new BsonInt32(number)));
    }
}
