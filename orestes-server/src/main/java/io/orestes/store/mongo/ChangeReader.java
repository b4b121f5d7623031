package io.orestes.store.mongo;

import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.orestes.store.ChangeFeed;
import io.orestes.store.StoreChange;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * One cursor of the database's change stream. Cursors belong to a session. Used on
 * the store's context.
 */
final class ChangeReader implements ChangeFeed.Reader {

    private static final int PAGE = 500;

    /** How long the server waits for something to tell. */
    private static final int WAIT_MILLIS = 400;

    private static final String CURSOR = "cursor";
    private static final String PLACE = "postBatchResumeToken";

    private final MongoChangeFeed.Home home;
    private final ClientSession session;
    private final MongoDatabase database;
    private final Publishers publishers;
    private long cursor;
    private ChangeFeed.Place place = new ChangeFeed.Place(new BsonDocument());

    ChangeReader(MongoChangeFeed.Home home, ClientSession session, MongoDatabase database, Publishers publishers) {
        this.home = home;
        this.session = session;
        this.database = database;
        this.publishers = publishers;
    }

    /** Begins behind a place, or now. */
    Future<ChangeReader> open(Optional<ChangeFeed.Place> after) {
        BsonDocument stream = new BsonDocument();
        after.ifPresent(given -> stream.append("startAfter", given.token()));
        BsonArray pipeline = new BsonArray(List.of(new BsonDocument("$changeStream", stream)));
        pipeline.addAll(ChangeEvents.PIPELINE);
        BsonDocument command = new BsonDocument("aggregate", new BsonInt32(1))
                .append("pipeline", pipeline)
                .append(CURSOR, new BsonDocument("batchSize", new BsonInt32(0)));
        return run(command).map(answer -> {
            take(answer);
            return this;
        });
    }

    @Override
    public Future<ChangeFeed.Page> next() {
        return home.call(() -> {
            if (cursor == 0) {
                // what is told last of a database that was dropped
                return open(Optional.of(place)).map(opened -> new ChangeFeed.Page(List.of(), place, false));
            }
            BsonDocument command = new BsonDocument("getMore", new BsonInt64(cursor))
                    .append("collection", new BsonString("$cmd.aggregate"))
                    .append("batchSize", new BsonInt32(PAGE))
                    .append("maxTimeMS", new BsonInt32(WAIT_MILLIS));
            return run(command).map(answer -> page(answer.getDocument(CURSOR).getArray("nextBatch"), answer));
        });
    }

    private ChangeFeed.Page page(BsonArray events, BsonDocument answer) {
        take(answer);
        List<StoreChange> changes = events.stream()
                .map(BsonValue::asDocument)
                .flatMap(ChangeEvents::changes)
                .toList();
        return new ChangeFeed.Page(changes, place, events.size() < PAGE);
    }

    private void take(BsonDocument answer) {
        BsonDocument answered = answer.getDocument(CURSOR);
        cursor = answered.getNumber("id").longValue();
        place = new ChangeFeed.Place(answered.getDocument(PLACE));
    }

    private Future<BsonDocument> run(BsonDocument command) {
        return publishers
                .first(database.runCommand(session, command, BsonDocument.class))
                .map(Optional::orElseThrow)
                .recover(failure -> Future.failedFuture(
                        Refusals.isOfLostPlace(failure)
                                ? new ChangeFeed.PlaceLostException(failure)
                                : Refusals.unavailable("The changes in MongoDB cannot be read: "
                                        + failure.getClass().getSimpleName())));
    }

    @Override
    public void close() {
        BsonDocument command = new BsonDocument("killCursors", new BsonString("$cmd.aggregate"))
                .append("cursors", new BsonArray(List.of(new BsonInt64(cursor))));
        // a server that is not told forgets it when nobody has read for some minutes
        home.call(() -> publishers.first(database.runCommand(session, command))).onComplete(told -> session.close());
    }
}
