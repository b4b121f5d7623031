package io.orestes.store.mongo;

import static io.orestes.store.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.support.Scope;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many threads, and two stores that are independent like two processes, write one object. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
final class RaceTest {

    private static final int THREADS = 16;

    /** Increments of each thread, which all conflict; a slow machine needs minutes for them. */
    private static final int INCREMENTS = Scope.rounds(1_000);

    private static final long ALL_INCREMENTS = (long) THREADS * INCREMENTS;
    private static final int MAX_MINUTES = 15;
    private static final ObjectRef HOT = new ObjectRef("Item", "hot");

    @RegisterExtension
    static final MongoFixture FIXTURE = MongoFixture.of(Deployment.QUICK_REPLICA_SET);

    private MongoObjectStore store;
    private MongoObjectStore other;

    @BeforeEach
    void open() {
        store = FIXTURE.open();
        other = FIXTURE.open();
    }

    @Test
    @Timeout(value = MAX_MINUTES, unit = TimeUnit.MINUTES)
    void updates_bySixteenThreads_loseNone() {
        assertNoneIsLost(thread -> store);
    }

    @Test
    @Timeout(value = MAX_MINUTES, unit = TimeUnit.MINUTES)
    void updates_bySixteenThreadsOfTwoProcesses_loseNone() {
        assertNoneIsLost(thread -> thread % 2 == 0 ? store : other);
    }

    private void assertNoneIsLost(IntFunction<MongoObjectStore> writer) {
        await(store.insert(HOT, new BsonDocument("n", new BsonInt64(0))));

        List<StoredObject> images = race(INCREMENTS, (thread, round) -> increment(writer.apply(thread)));

        assertThat(images.stream().map(StoredObject::version).sorted())
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(2, 1 + ALL_INCREMENTS).boxed().toList());
        assertThat(images).allSatisfy(image -> assertThat(number(image)).isEqualTo(image.version() - 1));
        assertThat(number(await(other.find(HOT)).orElseThrow())).isEqualTo(ALL_INCREMENTS);
    }

    /** The first replacement of all inserts, whichever it is. */
    @Test
    void replacements_byTwoProcesses_areVersionsWithoutGap() {
        List<StoredObject> images = race(
                50,
                (thread, round) -> await((thread % 2 == 0 ? store : other)
                        .replace(
                                HOT,
                                new BsonDocument("n", new BsonInt32(round)),
                                Precondition.none(),
                                Principal.SERVER)));

        assertThat(images.stream().map(StoredObject::version).sorted())
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, 800).boxed().toList());
    }

    @Test
    void insertions_byTwoProcesses_oneWinsEach() {
        List<Boolean> won = race(25, (thread, round) -> {
            try {
                await((thread % 2 == 0 ? store : other).insert(new ObjectRef("Item", "i" + round), new BsonDocument()));
                return true;
            } catch (ApiException taken) {
                assertThat(taken.code()).isEqualTo(ErrorCode.OBJECT_EXISTS);
                return false;
            }
        });

        assertThat(won.stream().filter(Boolean::booleanValue)).hasSize(25);
    }

    private static StoredObject increment(MongoObjectStore store) {
        return await(store.update(
                HOT,
                (current, now) -> {
                    BsonDocument fields = current.clone();
                    return fields.append(
                            "n", new BsonInt64(current.getInt64("n").getValue() + 1));
                },
                store.schemaEpoch(HOT.bucket()),
                Precondition.none(),
                Principal.SERVER));
    }

    private static long number(StoredObject object) {
        return object.document().getInt64("n").getValue();
    }

    private interface Attempt<T> {
        T make(int thread, int round);
    }

    private static <T> List<T> race(int rounds, Attempt<T> attempt) {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<CompletableFuture<List<T>>> racing = IntStream.range(0, THREADS)
                    .mapToObj(thread -> CompletableFuture.supplyAsync(
                            () -> IntStream.range(0, rounds)
                                    .mapToObj(round -> attempt.make(thread, round))
                                    .toList(),
                            threads))
                    .toList();
            return racing.stream()
                    .map(CompletableFuture::join)
                    .flatMap(List::stream)
                    .toList();
        } finally {
            threads.shutdown();
        }
    }
}
