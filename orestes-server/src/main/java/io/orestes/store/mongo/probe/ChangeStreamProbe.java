package io.orestes.store.mongo.probe;

import com.mongodb.WriteConcern;
import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.orestes.async.Loop;
import io.orestes.store.mongo.changefeed.ChangeStreamCursor;
import io.orestes.store.mongo.driver.MongoSessionFactory;
import io.orestes.store.mongo.driver.PublisherAdapter;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** A probe of a server's change streams: it writes a document and waits for the event. */
final class ChangeStreamProbe {

    private static final String ID = "published";

    private final MongoDatabase database;
    private final MongoCollection<BsonDocument> scratch;
    private final MongoSessionFactory mongoSessionFactory;
    private final PublisherAdapter publisherAdapter;
    private final Duration patience;

    /** @param patience time in which the server has to deliver the event of a confirmed write */
    ChangeStreamProbe(
            MongoDatabase database,
            MongoCollection<BsonDocument> scratch,
            MongoSessionFactory mongoSessionFactory,
            PublisherAdapter publisherAdapter,
            Duration patience) {
        this.database = database;
        this.scratch = scratch;
        this.mongoSessionFactory = mongoSessionFactory;
        this.publisherAdapter = publisherAdapter;
        this.patience = patience;
    }

    /**
     * Returns whether the server delivers the event; fails also where there are no change streams.
     */
    Future<Boolean> run() {
        return mongoSessionFactory.begin().compose(this::isPublished);
    }

    private Future<Boolean> isPublished(ClientSession session) {
        ChangeStreamCursor cursor = new ChangeStreamCursor(session, database, publisherAdapter, List.of(ofScratch()));
        return cursor.open()
                .onFailure(failure -> session.close())
                .compose(opened -> insert().compose(inserted -> await(cursor)).eventually(cursor::close));
    }

    private BsonDocument ofScratch() {
        return new BsonDocument(
                "$match",
                new BsonDocument(
                        "ns.coll", new BsonString(scratch.getNamespace().getCollectionName())));
    }

    /** Inserts a document at a majority: change streams deliver only writes that a majority has. */
    private Future<?> insert() {
        return publisherAdapter.first(scratch.withWriteConcern(WriteConcern.MAJORITY)
                .insertOne(new BsonDocument("_id", new BsonString(ID)).append("isPublished", BsonBoolean.TRUE)));
    }

    private Future<Boolean> await(ChangeStreamCursor cursor) {
        boolean[] isPublished = {false};
        long end = System.nanoTime() + patience.toNanos();
        return Loop.whileTrue(() -> cursor.next().map(events -> {
                    isPublished[0] = events.stream().anyMatch(ChangeStreamProbe::isInsertion);
                    return !isPublished[0] && !cursor.isAtEnd() && System.nanoTime() < end;
                }))
                .map(done -> isPublished[0]);
    }

    private static boolean isInsertion(BsonDocument event) {
        BsonDocument key = event.getDocument("documentKey", new BsonDocument());
        return new BsonString("insert").equals(event.get("operationType")) && new BsonString(ID).equals(key.get("_id"));
    }
}
