package io.orestes.store.embedded;

import static io.orestes.store.Await.await;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.store.WriteGuard;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

/** A truncation whose second step fails, step by step as the committer would take them. */
final class TruncationTest {

    private static final int OBJECTS = 700;

    private final Vertx vertx = Vertx.vertx();
    private final Database database;
    private final IndexCatalog catalog;
    private int steps;

    TruncationTest(@TempDir Path folder) throws RocksDBException {
        database = Database.open(folder, StoreConfig.at(folder), true);
        catalog = IndexCatalog.load(database);
        try (Group group = group()) {
            IntStream.range(0, OBJECTS).forEach(i -> put(group, "k" + i));
            group.commit();
        }
    }

    @AfterEach
    void tearDown() {
        database.close();
        await(vertx.close());
    }

    @Test
    void step_laterOneFails_toldOfExactlyWhatIsGoneAndThenOfTheFailure() {
        List<Tombstone> told = new ArrayList<>();
        Reply<Void> reply = Reply.toCaller(vertx);
        Truncation truncation = new Truncation(database, this::firstGroupOnly, "Todo", told::addAll, reply);

        run(truncation);

        assertThat(failureOf(reply.future()).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(told).isNotEmpty().hasSizeLessThan(OBJECTS);
        assertThat(Stream.concat(told.stream().map(Tombstone::ref), remaining().stream()))
                .hasSize(OBJECTS)
                .doesNotHaveDuplicates();
    }

    private static void run(Truncation truncation) {
        Replies replies = new Replies();
        try {
            boolean hasMore = true;
            while (hasMore) {
                hasMore = truncation.step(replies);
            }
        } catch (ApiException failure) {
            truncation.abort(failure, replies);
        }
        replies.deliver();
    }

    private Group firstGroupOnly() {
        if (steps++ > 0) {
            throw new ApiException(ErrorCode.UNAVAILABLE, "The disk is full");
        }
        return group();
    }

    private Group group() {
        return new Group(database, catalog, InstantSource.system());
    }

    private void put(Group group, String key) {
        Reply<StoredObject> reply = Reply.toCaller(vertx);
        Draft draft = new Draft(new ObjectRef("Todo", key), new BsonDocument());
        assertThat(new Put(draft, WriteGuard.absent(), reply).apply(group).version())
                .isEqualTo(1);
    }

    private List<ObjectRef> remaining() {
        List<ObjectRef> refs = new ArrayList<>();
        try (View view = database.view()) {
            boolean all = view.visit(Family.OBJECTS, KeyRange.bucket("Todo"), (key, encoded) -> {
                refs.add(Documents.object(Documents.decode(encoded)).ref());
                return true;
            });
            assertThat(all).isTrue();
        }
        return refs;
    }
}
