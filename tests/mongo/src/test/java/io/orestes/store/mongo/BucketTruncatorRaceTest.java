package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.mongo.FailingServerRequests.n;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.Filters;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.model.WriteOutcome;
import io.orestes.store.Batch;
import io.orestes.store.mongo.driver.MongoConfig;
import io.orestes.support.process.Waiting;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Truncates a class in one process while another one writes and deletes the same objects: MongoDB
 * reports of each object which of them ended it.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class BucketTruncatorRaceTest {

    private static final int OBJECTS = 700;

    @RegisterExtension
    static final MongoFixture FIXTURE = MongoFixture.of(Deployment.QUICK_REPLICA_SET);

    private final List<Tombstone> published = new CopyOnWriteArrayList<>();
    private MongoObjectStore one;
    private MongoObjectStore other;

    @BeforeEach
    void open() {
        MongoConfig config = MongoConfig.at(FIXTURE.mongod().address());
        one = FIXTURE.openBesideOthers(config, InstantSource.system());
        other = FIXTURE.openBesideOthers(config, InstantSource.system());
        awaitAll(IntStream.range(0, OBJECTS)
                .mapToObj(i -> one.insert(ref(i), n(i)))
                .toList());
    }

    @Test
    void truncate_anotherReplaces_publishesTheLastVersionOfEach() {
        Map<ObjectRef, Long> newest = new ConcurrentHashMap<>();
        Future<Void> truncated = truncate();
        for (int round = 0; !truncated.isComplete(); round++) {
            replaceSome(round, newest);
        }
        await(truncated);

        assertThat(await(other.scan("Item", "", 100))).isEmpty();
        assertThat(published).extracting(Tombstone::ref).doesNotHaveDuplicates().hasSize(OBJECTS);
        assertThat(published)
                .allSatisfy(end -> assertThat(end.stamp().version()).isEqualTo(newest.getOrDefault(end.ref(), 1L) + 1));
    }

    @Test
    void truncate_anotherDeletes_eachIsEndedByOneOfThem() {
        List<Future<Boolean>> deletions = new ArrayList<>();
        Future<Void> truncated = truncate();
        for (int i = OBJECTS - 1; i >= 0; i -= 2) {
            deletions.add(other.delete(ref(i), Precondition.none(), Principal.SERVER)
                    .map(tombstone -> tombstone.isPresent()));
        }
        awaitAll(deletions);
        await(truncated);

        long deleted = deletions.stream().filter(Future::result).count();
        assertThat(published).extracting(Tombstone::ref).doesNotHaveDuplicates();
        assertThat(published.size() + deleted).isEqualTo(OBJECTS);
        assertThat(await(other.scan("Item", "", 100))).isEmpty();
    }

    /** A killed process leaves such a transaction. */
    @Test
    void truncate_anotherTransactionLocksAnObject_continuesOnceThatIsAborted() {
        try (MongoClient client = MongoClients.create(FIXTURE.mongod().address());
                ClientSession held = client.startSession()) {
            held.startTransaction();
            assertThat(client.getDatabase("test")
                            .getCollection("Item")
                            .deleteOne(held, Filters.eq(ref(0).id()))
                            .getDeletedCount())
                    .isOne();
            long before = FIXTURE.mongod().commands("abortTransaction");
            Future<Void> truncated = truncate();
            Waiting.until(
                    "transactions are aborted", () -> FIXTURE.mongod().commands("abortTransaction") > before + 20);
            assertThat(truncated.isComplete()).isFalse();

            held.abortTransaction();

            await(truncated);
        }
        assertThat(published).extracting(Tombstone::ref).doesNotHaveDuplicates().hasSize(OBJECTS);
        assertThat(await(other.scan("Item", "", 100))).isEmpty();
    }

    private Future<Void> truncate() {
        return one.truncate("Item", one.schemaEpoch("Item"), published::addAll);
    }

    /** Replaces some objects; deleted ones are not restored. */
    private void replaceSome(int round, Map<ObjectRef, Long> newest) {
        List<Future<List<WriteOutcome>>> replacements = IntStream.range(0, 20)
                .mapToObj(i -> ref((round * 20 + i * 31) % OBJECTS))
                .map(ref -> other.commit(new Batch(List.of(), List.of(replacement(ref)), Principal.SERVER)))
                .toList();
        awaitAll(replacements);
        replacements.forEach(replacement -> {
            if (replacement.succeeded()) {
                StoredObject after = (StoredObject) replacement.result().get(0);
                newest.put(after.ref(), after.version());
            } else {
                assertThat(replacement.cause()).hasFieldOrPropertyWithValue("code", ErrorCode.OBJECT_OUT_OF_DATE);
            }
        });
    }

    private Batch.StoreOperation replacement(ObjectRef ref) {
        return new Batch.ReplaceOperation(ref, n(7), other.schemaEpoch("Item"), new Precondition.ObjectExists());
    }

    private static ObjectRef ref(int number) {
        return new ObjectRef("Item", "o" + number);
    }
}
