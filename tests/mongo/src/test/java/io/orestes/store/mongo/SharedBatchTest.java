package io.orestes.store.mongo;

import io.orestes.store.BatchContract;
import io.orestes.store.ObjectStore;
import java.time.InstantSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract, kept on a server that is no replica set by one of several processes. */
final class SharedBatchTest extends BatchContract {

    @RegisterExtension
    static final MongoFixture FIXTURE = MongoFixture.of(Deployment.STANDALONE);

    private MongoObjectStore store;

    @BeforeEach
    void open() {
        store = FIXTURE.open(MongoConfig.at(FIXTURE.mongod().address()).shared(), InstantSource.system());
    }

    @Override
    protected ObjectStore store() {
        return store;
    }
}
