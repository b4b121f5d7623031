package io.orestes.store.mongo.changefeed;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.reactivestreams.client.ClientSession;
import io.invalidb.model.VersionStamp;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.store.ChangeFeed;
import io.orestes.store.mongo.document.MongoCollections;
import io.orestes.store.mongo.driver.MongoSessionFactory;
import io.orestes.store.mongo.driver.PublisherAdapter;
import io.orestes.store.mongo.driver.StoreCallGate;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * The change feed of the store, read from MongoDB's change stream by plain commands. With these the
 * position is known also where there was no change.
 */
public final class MongoChangeFeed implements ChangeFeed {

    private static final String ONLY_ONE = "objects";
    private static final String TOKEN = "token";
    private static final String KEPT_AT = "keptAt";

    private final StoreCallGate gate;
    private final MongoSessionFactory mongoSessionFactory;
    private final MongoCollections mongoCollections;
    private final PublisherAdapter publisherAdapter;
    private final ReportedObjects reportedObjects;
    private final InstantSource clock;

    public MongoChangeFeed(
            StoreCallGate gate,
            MongoSessionFactory mongoSessionFactory,
            MongoCollections mongoCollections,
            ReportedObjects reportedObjects,
            InstantSource clock) {
        this.gate = gate;
        this.mongoSessionFactory = mongoSessionFactory;
        this.mongoCollections = mongoCollections;
        this.publisherAdapter = mongoCollections.publishers();
        this.reportedObjects = reportedObjects;
        this.clock = clock;
    }

    @Override
    public Future<Optional<FeedPosition>> savedPosition() {
        return gate.call(() -> publisherAdapter
                .first(mongoCollections.changes().find(Filters.eq(ONLY_ONE)).first())
                .map(found -> found.map(kept -> new FeedPosition(kept.getDocument(TOKEN)))));
    }

    @Override
    public Future<Void> savePosition(FeedPosition position) {
        BsonDocument saved = new BsonDocument(StoredObject.ID, new BsonString(ONLY_ONE))
                .append(TOKEN, position.token())
                .append(KEPT_AT, new BsonDateTime(clock.millis()));
        return gate.call(() -> publisherAdapter
                .first(mongoCollections
                        .changes()
                        .replaceOne(Filters.eq(ONLY_ONE), saved, new ReplaceOptions().upsert(true)))
                .mapEmpty());
    }

    @Override
    public Future<ChangeFeedReader> open() {
        return open(MongoChangeFeedReader::open);
    }

    @Override
    public Future<ChangeFeedReader> open(FeedPosition after) {
        return open(reader -> reader.open(after));
    }

    private Future<ChangeFeedReader> open(Function<MongoChangeFeedReader, Future<?>> opening) {
        return gate.call(() -> mongoSessionFactory.begin().compose(session -> {
            MongoChangeFeedReader reader = newReader(session);
            return opening.apply(reader).<ChangeFeedReader>map(reader).onFailure(failure -> session.close());
        }));
    }

    private MongoChangeFeedReader newReader(ClientSession session) {
        return new MongoChangeFeedReader(
                gate,
                new ChangeStreamCursor(
                        session, mongoCollections.database(), publisherAdapter, ChangeEventDecoder.PIPELINE));
    }

    @Override
    public Future<Optional<ObservedState>> current(ObjectRef ref) {
        return gate.call(() -> reportedObjects.current(ref));
    }

    @Override
    public Future<Optional<StoredObject>> incrementVersion(ObjectRef ref, @Nullable VersionStamp known) {
        return gate.call(() -> reportedObjects.incrementVersion(ref, known));
    }

    @Override
    public Future<Tombstone> recordDeletion(ObjectRef ref, @Nullable VersionStamp known) {
        return gate.call(() -> reportedObjects.recordDeletion(ref, known));
    }
}
