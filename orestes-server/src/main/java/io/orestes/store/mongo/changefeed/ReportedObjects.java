package io.orestes.store.mongo.changefeed;

import io.invalidb.model.VersionStamp;
import io.orestes.async.KeyedMutex;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.model.Tombstone;
import io.orestes.store.ChangeFeed;
import io.orestes.store.mongo.document.DocumentDecoder;
import io.orestes.store.mongo.document.DocumentIds;
import io.orestes.store.mongo.document.ForeignDocumentNormalizer;
import io.orestes.store.mongo.document.MongoCollections;
import io.orestes.store.mongo.write.RecentMetadataCache;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The objects of which the change feed reports a write. Their states are read and renewed while no
 * other code of this process writes them. Used on the store's context only.
 */
public final class ReportedObjects {

    private final MongoCollections mongoCollections;
    private final ForeignDocumentNormalizer foreignDocumentNormalizer;
    private final KeyedMutex keyedMutex;
    private final RecentMetadataCache recent;

    /** @param recent cache of states, which a write of another program makes stale */
    public ReportedObjects(
            MongoCollections mongoCollections,
            ForeignDocumentNormalizer foreignDocumentNormalizer,
            KeyedMutex keyedMutex,
            RecentMetadataCache recent) {
        this.mongoCollections = mongoCollections;
        this.foreignDocumentNormalizer = foreignDocumentNormalizer;
        this.keyedMutex = keyedMutex;
        this.recent = recent;
    }

    /** Reads the newest state; see {@link ChangeFeed#current}. */
    Future<Optional<ChangeFeed.ObservedState>> current(ObjectRef ref) {
        return keyedMutex.runExclusively(Set.of(ref.id()), () -> {
            recent.evict(ref);
            return documents(ref).compose(found -> {
                boolean isNormalized = !found.stream().allMatch(DocumentDecoder::hasMetadata);
                boolean hasCurrentReaders =
                        found.stream().allMatch(document -> ForeignDocumentNormalizer.hasCurrentReaders(ref, document));
                return foreignDocumentNormalizer.objects(ref.bucket(), found).map(objects -> objects.stream()
                        .findFirst()
                        .map(state -> new ChangeFeed.ObservedState(state, isNormalized, hasCurrentReaders)));
            });
        });
    }

    private Future<List<BsonDocument>> documents(ObjectRef ref) {
        return mongoCollections
                .publishers()
                .all(
                        mongoCollections
                                .newest(ref.bucket())
                                .find(DocumentIds.only(ref))
                                .batchSize(2),
                        2);
    }

    /** Gives the object its next version; see {@link ChangeFeed#incrementVersion}. */
    Future<Optional<StoredObject>> incrementVersion(ObjectRef ref, @Nullable VersionStamp known) {
        return keyedMutex.runExclusively(
                Set.of(ref.id()), () -> foreignDocumentNormalizer.incrementVersion(ref, known));
    }

    /** Records a deletion; see {@link ChangeFeed#recordDeletion}. */
    Future<Tombstone> recordDeletion(ObjectRef ref, @Nullable VersionStamp known) {
        return foreignDocumentNormalizer.recordDeletion(ref, known);
    }
}
