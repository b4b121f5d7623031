package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Acknowledged writes are on the disk. */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
final class CrashDurabilityTest {

    private static final int WRITES = 400;

    @RegisterExtension
    final MongoFixture server = MongoFixture.shared(Deployment.REPLICA_SET);

    @Test
    void kill_duringWrites_losesNoneThatWasAcknowledged() {
        MongoObjectStore store = server.open();
        List<Future<StoredObject>> writes = IntStream.range(0, WRITES)
                .mapToObj(i -> store.insert(ref(i), new BsonDocument("n", new BsonInt32(i))))
                .toList();
        awaitAll(writes.subList(0, 50));
        server.mongod().kill();
        awaitAll(writes);

        server.mongod().restart();

        List<StoredObject> acknowledged =
                writes.stream().filter(Future::succeeded).map(Future::result).toList();
        assertThat(acknowledged).isNotEmpty();
        assertThat(await(store.findAll(IntStream.range(0, WRITES)
                                .mapToObj(CrashDurabilityTest::ref)
                                .toList()))
                        .values())
                .containsAll(acknowledged);
        assertThat(writes.stream().filter(Future::failed).map(Future::cause)).allSatisfy(failure -> {
            assertThat(((ApiException) failure).code()).isEqualTo(ErrorCode.UNAVAILABLE);
            assertThat(((ApiException) failure).retryAfter()).isPresent();
        });
    }

    private static ObjectRef ref(int number) {
        return new ObjectRef("Item", "k" + number);
    }
}
