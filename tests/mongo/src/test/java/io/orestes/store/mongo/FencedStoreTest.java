package io.orestes.store.mongo;

import static io.orestes.store.Await.await;

import io.orestes.store.ObjectStore;
import io.orestes.store.ObjectStoreContract;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract, kept by a process of a group whose lease runs. */
@Tag("full")
final class FencedStoreTest extends ObjectStoreContract {

    @RegisterExtension
    static final MongoFixture FIXTURE = MongoFixture.of(Deployment.STANDALONE);

    private MongoObjectStore store;

    @BeforeEach
    void open() {
        store = FIXTURE.open(MongoConfig.at(FIXTURE.mongod().address()).shared(), clock);
        await(store.fence(() -> Optional.of(Duration.ofSeconds(3))));
    }

    @Override
    protected ObjectStore store() {
        return store;
    }

    @Override
    protected Vertx vertx() {
        return FIXTURE.vertx();
    }
}
