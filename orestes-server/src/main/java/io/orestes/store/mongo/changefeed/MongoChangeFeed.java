package io.orestes.store.mongo.changefeed;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.reactivestreams.client.ClientSession;
import io.invalidb.model.VersionStamp;
import io.orestes.async.KeyedMutex;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.store.ChangeFeed;
import io.orestes.store.mongo.document.CompletionRecords;
import io.orestes.store.mongo.document.DocumentIds;
import io.orestes.store.mongo.document.DocumentMapper;
import io.orestes.store.mongo.document.DocumentNormalizer;
import io.orestes.store.mongo.document.MongoCollections;
import io.orestes.store.mongo.document.TombstoneCollection;
import io.orestes.store.mongo.driver.MongoSessionFactory;
import io.orestes.store.mongo.driver.PublisherAdapter;
import io.orestes.store.mongo.write.OptimisticWriter;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * The change feed of the store, read from MongoDB's change stream by plain commands. With these the
 * position is known also where there was no change.
 */
public final class MongoChangeFeed implements ChangeFeed {

    private static final String ONLY_ONE = "objects";
    private static final String TOKEN = "token";
    private static final String KEPT_AT = "keptAt";

    /** An executor of work on the store's context, which refuses work after the store is closed. */
    public interface StoreContextExecutor {
        <T> Future<T> call(Supplier<Future<T>> work);
    }

    private final StoreContextExecutor storeContextExecutor;
    private final MongoSessionFactory mongoSessionFactory;
    private final MongoCollections mongoCollections;
    private final PublisherAdapter publisherAdapter;
    private final DocumentNormalizer documentNormalizer;
    private final TombstoneCollection tombstoneCollection;
    private final KeyedMutex keyedMutex;
    private final OptimisticWriter optimisticWriter;
    private final InstantSource clock;

    public MongoChangeFeed(
            StoreContextExecutor storeContextExecutor,
            MongoSessionFactory mongoSessionFactory,
            MongoCollections mongoCollections,
            PublisherAdapter publisherAdapter,
            DocumentNormalizer documentNormalizer,
            TombstoneCollection tombstoneCollection,
            KeyedMutex keyedMutex,
            OptimisticWriter optimisticWriter,
            InstantSource clock) {
        this.storeContextExecutor = storeContextExecutor;
        this.mongoSessionFactory = mongoSessionFactory;
        this.mongoCollections = mongoCollections;
        this.publisherAdapter = publisherAdapter;
        this.documentNormalizer = documentNormalizer;
        this.tombstoneCollection = tombstoneCollection;
        this.keyedMutex = keyedMutex;
        this.optimisticWriter = optimisticWriter;
        this.clock = clock;
    }

    @Override
    public Future<Optional<FeedPosition>> savedPosition() {
        return storeContextExecutor.call(() -> publisherAdapter
                .first(mongoCollections.changes().find(Filters.eq(ONLY_ONE)).first())
                .map(found -> found.map(kept -> new FeedPosition(kept.getDocument(TOKEN)))));
    }

    @Override
    public Future<Void> savePosition(FeedPosition position) {
        BsonDocument saved = new BsonDocument(StoredObject.ID, new BsonString(ONLY_ONE))
                .append(TOKEN, position.token())
                .append(KEPT_AT, new BsonDateTime(clock.millis()));
        return storeContextExecutor.call(() -> publisherAdapter
                .first(mongoCollections
                        .changes()
                        .replaceOne(Filters.eq(ONLY_ONE), saved, new ReplaceOptions().upsert(true)))
                .mapEmpty());
    }

    @Override
    public Future<ChangeFeedReader> open(Optional<FeedPosition> after) {
        return storeContextExecutor.call(() -> mongoSessionFactory.begin().compose(session -> opened(session, after)));
    }

    private Future<ChangeFeedReader> opened(ClientSession session, Optional<FeedPosition> after) {
        MongoChangeFeedReader reader = new MongoChangeFeedReader(
                storeContextExecutor,
                new ChangeStreamCursor(
                        session, mongoCollections.database(), publisherAdapter, ChangeEventDecoder.PIPELINE));
        return reader.open(after).<ChangeFeedReader>map(reader).onFailure(failure -> session.close());
    }

    @Override
    public Future<Optional<ObservedState>> current(ObjectRef ref) {
        return storeContextExecutor.call(() -> keyedMutex.runExclusively(Set.of(ref.id()), () -> {
            optimisticWriter.evict(ref);
            return publisherAdapter
                    .all(
                            mongoCollections
                                    .newest(ref.bucket())
                                    .find(DocumentIds.only(ref))
                                    .batchSize(2),
                            2)
                    .compose(found -> {
                        boolean isAdopted = !found.stream().allMatch(DocumentMapper::hasMetadata);
                        return documentNormalizer.objects(ref.bucket(), found).map(objects -> objects.stream()
                                .findFirst()
                                .map(state -> new ObservedState(state, isAdopted)));
                    });
        }));
    }

    @Override
    public Future<Optional<StoredObject>> incrementVersion(ObjectRef ref, Optional<VersionStamp> known) {
        return storeContextExecutor.call(() ->
                keyedMutex.runExclusively(Set.of(ref.id()), () -> documentNormalizer.incrementVersion(ref, known)));
    }

    /**
     * Records a deletion. An insertion in flight may have read the end of the last life before. Its
     * change event then reports the new life, whatever this tombstone contains.
     */
    @Override
    public Future<Tombstone> recordDeletion(ObjectRef ref, Optional<VersionStamp> known) {
        long incarnation = known.map(VersionStamp::incarnation).orElseGet(clock::millis);
        long version = known.map(last -> last.version() + 1).orElse(Long.MAX_VALUE);
        TombstoneCollection.TombstoneRecord end = new TombstoneCollection.TombstoneRecord(
                ref, Math.max(clock.millis(), incarnation), CompletionRecords.NONE);
        return storeContextExecutor.call(() -> tombstoneCollection
                .recordAll(List.of(end))
                .map(noted -> new Tombstone(ref, new VersionStamp(incarnation, version))));
    }
}
