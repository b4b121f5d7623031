package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import java.time.Duration;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server that asks who is there. */
final class WithPasswordTest {

    @RegisterExtension
    static final MongoFixture FIXTURE = MongoFixture.of(Mongod.Shape.WITH_PASSWORD);

    @Test
    void open_wrongPassword_failsWithoutWaitingLong() {
        String address = FIXTURE.mongod().address().replace("secret", "guess");
        MongoConfig config = MongoConfig.at(address).withAnswerWithin(Duration.ofSeconds(5));

        assertThatThrownBy(() -> await(MongoObjectStore.open(FIXTURE.vertx(), config)))
                .isInstanceOf(UnusableServerException.class)
                .hasMessageNotContaining("guess");
    }

    @Test
    void open_again_findsWhatWasWritten() {
        ObjectRef ref = new ObjectRef("Item", "a");
        MongoObjectStore store = FIXTURE.open();
        StoredObject stored = await(store.insert(ref, new BsonDocument()));
        await(store.close());

        assertThat(await(FIXTURE.open().find(ref))).contains(stored);
    }
}
