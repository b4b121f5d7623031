package io.orestes.schema.change;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.schema.EmptyStoreFixture;
import io.orestes.schema.TestSchemas;
import io.orestes.schema.migration.FieldRename;
import io.orestes.schema.model.Schema;
import io.orestes.store.ManualClock;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Log messages of a start that finishes a change of the schema. */
class SchemaChangeRecoveryTest extends EmptyStoreFixture {

    private static final int OBJECTS = 20;

    private final List<String> log = new CopyOnWriteArrayList<>();
    private BsonDocument journal;

    @BeforeEach
    void renameInOneClassAndRemoveTheOther() {
        Schema before =
                TestSchemas.with("[{'class': '/db/A', 'fields': {'n': {'type': '/db/Integer'}}}, {'class': '/db/B'}]");
        Schema after = TestSchemas.with("{'class': '/db/A', 'fields': {'m': {'type': '/db/Integer'}}}");
        journal = StoredSchema.journal(
                new SchemaTransition(before, after, Set.of("A")),
                SchemaCrdt.of(0, after, Set.of()),
                List.of(new FieldRename("A", "n", "m")));
        awaitAll(Stream.of("A", "B")
                .flatMap(bucket -> IntStream.range(0, OBJECTS).mapToObj(i -> insert(bucket, i)))
                .toList());
    }

    @Test
    void finish_shortOne_saysWhatItDoesAndThatItIsDone() {
        await(change(new ManualClock()).finish(SchemaCoordination.SchemaLock.UNCONTENDED));

        assertThat(log)
                .containsExactly(
                        "Finishing a change of the schema that the last process did not finish. Fields were"
                                + " renamed, removed or converted in: /db/A (20 objects)."
                                + " Removed classes: /db/B (20 objects)",
                        "The change of the schema is finished: 40 objects in 0 s,"
                                + " of which the last process had changed 0");
    }

    @Test
    void finish_someAreChanged_saysHowMany() {
        awaitAll(IntStream.range(0, 3)
                .mapToObj(i -> store.replace(
                        new ObjectRef("A", "k" + i),
                        new BsonDocument("m", new BsonInt32(i)),
                        Precondition.none(),
                        Principal.SERVER))
                .toList());

        await(change(new ManualClock()).finish(SchemaCoordination.SchemaLock.UNCONTENDED));

        assertThat(log)
                .last()
                .isEqualTo("The change of the schema is finished: 40 objects in 0 s,"
                        + " of which the last process had changed 3");
    }

    @Test
    void finish_longOne_saysEveryFewSecondsHowFarItIs() {
        ManualClock clock = new ManualClock();

        await(change(ticking(clock)).finish(SchemaCoordination.SchemaLock.UNCONTENDED));

        assertThat(log.subList(1, log.size() - 1))
                .hasSize(4)
                .startsWith("In progress: 5 objects done in 5 s", "In progress: 10 objects done in 10 s");
        assertThat(log)
                .last()
                .isEqualTo("The change of the schema is finished: 40 objects in 22 s,"
                        + " of which the last process had changed 0");
    }

    private SchemaChangeRecovery change(InstantSource clock) {
        return new SchemaChangeRecovery(store, ClassDataHandler.withoutCaches(store), journal, clock, log::add);
    }

    /** Returns a clock that advances by a second with each reading. */
    private static InstantSource ticking(ManualClock clock) {
        return () -> {
            Instant now = clock.instant();
            clock.advance(1_000);
            return now;
        };
    }

    private Future<?> insert(String bucket, int n) {
        return store.insert(new ObjectRef(bucket, "k" + n), new BsonDocument("n", new BsonInt32(n)));
    }
}
