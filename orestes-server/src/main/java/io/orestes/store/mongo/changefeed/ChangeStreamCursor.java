package io.orestes.store.mongo.changefeed;

import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.orestes.store.mongo.driver.PublisherAdapter;
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
 * A cursor of the database's change stream, read by plain commands within the session that it
 * belongs to. Used on the store's context.
 */
public final class ChangeStreamCursor {

    static final int PAGE_SIZE = 500;

    /** Time for which the server waits for an event, in ms. */
    private static final int WAIT_MILLIS = 400;

    private static final String CURSOR = "cursor";
    private static final String RESUME_TOKEN = "postBatchResumeToken";

    private final ClientSession session;
    private final MongoDatabase database;
    private final PublisherAdapter publisherAdapter;
    private final List<BsonDocument> pipeline;
    private long id;
    private BsonDocument position = new BsonDocument();

    /** @param pipeline stages that the server applies to each event before it sends it */
    public ChangeStreamCursor(
            ClientSession session,
            MongoDatabase database,
            PublisherAdapter publisherAdapter,
            List<BsonDocument> pipeline) {
        this.session = session;
        this.database = database;
        this.publisherAdapter = publisherAdapter;
        this.pipeline = pipeline;
    }

    /** Begins now. */
    public Future<Void> open() {
        return aggregate(new BsonDocument());
    }

    /** Begins after a position, whose resume token this is. */
    Future<Void> open(BsonDocument token) {
        return aggregate(new BsonDocument("startAfter", token));
    }

    private Future<Void> aggregate(BsonDocument stream) {
        BsonArray stages = new BsonArray(List.of(new BsonDocument("$changeStream", stream)));
        stages.addAll(pipeline);
        BsonDocument command = new BsonDocument("aggregate", new BsonInt32(1))
                .append("pipeline", stages)
                .append(CURSOR, new BsonDocument("batchSize", new BsonInt32(0)));
        return run(command).map(answer -> {
            take(answer);
            return null;
        });
    }

    /** Reads the next events; waits for a moment if there are none. */
    public Future<List<BsonDocument>> next() {
        BsonDocument command = new BsonDocument("getMore", new BsonInt64(id))
                .append("collection", new BsonString("$cmd.aggregate"))
                .append("batchSize", new BsonInt32(PAGE_SIZE))
                .append("maxTimeMS", new BsonInt32(WAIT_MILLIS));
        return run(command).map(answer -> {
            take(answer);
            return answer.getDocument(CURSOR).getArray("nextBatch").stream()
                    .map(BsonValue::asDocument)
                    .toList();
        });
    }

    /** True if the server has no more events for this cursor, as after the end of the database. */
    public boolean isAtEnd() {
        return id == 0;
    }

    /** Returns the position after the last event. */
    BsonDocument position() {
        return position;
    }

    /**
     * Closes the cursor. The server would otherwise close it only after some minutes without reads.
     */
    public Future<?> close() {
        BsonDocument command = new BsonDocument("killCursors", new BsonString("$cmd.aggregate"))
                .append("cursors", new BsonArray(List.of(new BsonInt64(id))));
        return publisherAdapter.first(database.runCommand(session, command)).onComplete(killed -> session.close());
    }

    private void take(BsonDocument answer) {
        BsonDocument answered = answer.getDocument(CURSOR);
        id = answered.getNumber("id").longValue();
        position = answered.getDocument(RESUME_TOKEN);
    }

    private Future<BsonDocument> run(BsonDocument command) {
        return publisherAdapter
                .first(database.runCommand(session, command, BsonDocument.class))
                .map(Optional::orElseThrow);
    }
}
