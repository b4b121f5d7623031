package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Principal;
import io.orestes.store.Batch;
import io.orestes.store.BatchContract;
import io.orestes.store.IndexSpec;
import io.orestes.store.ObjectStore;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract on servers of all deployments. */
@EachDeployment
final class MongoBatchTest extends BatchContract {

    @RegisterExtension
    final MongoFixture server;

    private MongoObjectStore store;

    MongoBatchTest(Deployment deployment) {
        server = MongoFixture.shared(deployment);
    }

    @BeforeEach
    void open() {
        store = server.open();
    }

    @Override
    protected ObjectStore store() {
        return store;
    }

    @Test
    void commit_ambiguousAtTheNumberOfAnIndex_isRefusedAndStoresNothing() {
        await(store.createIndex("Item", IndexSpec.ascending("list.0")));

        Batch batch = new Batch(
                List.of(), List.of(insertion("a", "{n: 1}"), insertion("b", "{list: [{'0': 1}]}")), Principal.SERVER);

        assertThat(failureOf(store.commit(batch)).code()).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(await(store.find(new ObjectRef("Item", "a")))).isEmpty();
        assertThat(await(store.find(new ObjectRef("Item", "b")))).isEmpty();
    }

    private Batch.InsertOperation insertion(String key, String fields) {
        return new Batch.InsertOperation(
                new ObjectRef("Item", key), BsonDocument.parse(fields), store.schemaEpoch("Item"));
    }
}
