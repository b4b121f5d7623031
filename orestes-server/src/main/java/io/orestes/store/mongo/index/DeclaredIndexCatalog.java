package io.orestes.store.mongo.index;

import com.google.common.hash.HashCode;
import com.google.common.primitives.Bytes;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.Updates;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.store.IndexSpec;
import io.orestes.store.UniqueKeyHashes;
import io.orestes.store.mongo.document.IndexHiddenFields;
import io.orestes.store.mongo.document.MongoCollections;
import io.orestes.store.mongo.driver.PublisherAdapter;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.bson.types.ObjectId;

/**
 * The catalog of declared indexes of all buckets, in memory and in a collection of its own.
 * MongoDB's own list of indexes is not enough. Unique indexes are keys that objects contain, and an
 * index that MongoDB cannot have in full is declared all the same. Used on the store's context
 * only.
 */
public final class DeclaredIndexCatalog implements IndexHiddenFields {

    private static final int PAGE_SIZE = 500;
    private static final int NUMBER_BYTES = 12;

    private final MongoCollections mongoCollections;
    private final PublisherAdapter publisherAdapter;
    private final IndexDefinitionTable definitions = new IndexDefinitionTable();
    /**
     * Indexes that this process is storing or removing, so that its state is newer than the
     * collection's.
     */
    private final Set<ObjectId> changing = new HashSet<>();
    /** Indexes that this process stored or removed while the collection was being read. */
    private final Set<ObjectId> changedMeanwhile = new HashSet<>();

    private Future<?> lastLoad = Future.succeededFuture();

    public DeclaredIndexCatalog(MongoCollections mongoCollections) {
        this.mongoCollections = mongoCollections;
        this.publisherAdapter = mongoCollections.publishers();
    }

    /** Reads the indexes that were declared before, or meanwhile by others. */
    public Future<?> load() {
        lastLoad = lastLoad.otherwiseEmpty().compose(before -> loadNow());
        return lastLoad;
    }

    private Future<?> loadNow() {
        List<ObjectId> known =
                definitions.all().stream().map(MongoIndexDefinition::number).toList();
        changedMeanwhile.clear();
        changedMeanwhile.addAll(changing);
        return publisherAdapter
                .all(mongoCollections.indexes().find().batchSize(PAGE_SIZE), PAGE_SIZE)
                .onSuccess(found -> {
                    Map<ObjectId, MongoIndexDefinition> declared = new HashMap<>();
                    found.stream()
                            .map(MongoIndexDefinition::decode)
                            .forEach(index -> declared.put(index.number(), index));
                    known.stream()
                            .filter(number -> !declared.containsKey(number) && !changedMeanwhile.contains(number))
                            .forEach(definitions::remove);
                    declared.keySet().removeAll(changedMeanwhile);
                    declared.values().forEach(definitions::put);
                });
    }

    /** The indexes of a bucket, oldest first. */
    public List<MongoIndexDefinition> of(String bucket) {
        return definitions.of(bucket);
    }

    /** Returns the indexes that still have to be filled. */
    public List<MongoIndexDefinition> unready() {
        return definitions.all().stream().filter(index -> !index.isReady()).toList();
    }

    Optional<MongoIndexDefinition> find(String bucket, IndexSpec keys) {
        return of(bucket).stream().filter(index -> index.spec().equals(keys)).findFirst();
    }

    /** True if queries find the nearest places at that path. */
    public boolean hasGeoIndex(String bucket, String path) {
        return of(bucket).stream()
                .anyMatch(index -> index.isReady()
                        && index.spec().keys().contains(new IndexSpec.IndexedField(path, IndexSpec.IndexKind.GEO)));
    }

    /** Returns the index by which queries may search for words. */
    public Optional<MongoIndexDefinition> textIndex(String bucket) {
        return of(bucket).stream()
                .filter(index -> index.isReady() && index.isText())
                .findFirst();
    }

    Future<MongoIndexDefinition> declare(String bucket, IndexSpec keys) {
        return save(new MongoIndexDefinition(new ObjectId(), bucket, keys, false, false));
    }

    /** Stores an index or another state of it. Writers use it from now on. */
    Future<MongoIndexDefinition> save(MongoIndexDefinition index) {
        definitions.put(index);
        changing(index);
        return publisherAdapter
                .first(mongoCollections
                        .indexes()
                        .replaceOne(Filters.eq(index.number()), index.encode(), new ReplaceOptions().upsert(true)))
                .onComplete(done -> changing.remove(index.number()))
                .map(kept -> index);
    }

    /**
     * Stores another state of a declared index. If another process has removed the index, removes
     * it here as well and returns empty.
     */
    Future<Optional<MongoIndexDefinition>> saveIfDeclared(MongoIndexDefinition index) {
        changing(index);
        return publisherAdapter
                .first(mongoCollections.indexes().replaceOne(Filters.eq(index.number()), index.encode()))
                .onComplete(done -> changing.remove(index.number()))
                .map(result -> {
                    boolean isDeclared =
                            result.filter(kept -> kept.getMatchedCount() == 1).isPresent();
                    if (isDeclared) {
                        definitions.put(index);
                    } else {
                        definitions.remove(index.number());
                    }
                    return Optional.of(index).filter(kept -> isDeclared);
                });
    }

    private void changing(MongoIndexDefinition index) {
        changing.add(index.number());
        changedMeanwhile.add(index.number());
    }

    /** Removes an index. Writers stop to maintain it at once. */
    Future<?> remove(MongoIndexDefinition index) {
        definitions.remove(index.number());
        changing(index);
        return publisherAdapter
                .first(mongoCollections.indexes().deleteOne(Filters.eq(index.number())))
                .onComplete(done -> changing.remove(index.number()));
    }

    @Override
    public void addTo(String bucket, BsonDocument document) {
        addHiddenFields(of(bucket), document);
    }

    /** Adds the hidden fields for indexes to a document: unique keys and words. */
    public static void addHiddenFields(List<MongoIndexDefinition> indexes, BsonDocument document) {
        addWords(indexes, document);
        addPlaces(indexes, document);
    }

    private static void addWords(List<MongoIndexDefinition> indexes, BsonDocument document) {
        BsonDocument byNumber = new BsonDocument();
        indexes.stream().filter(MongoIndexDefinition::isText).forEach(index -> WordHashes.of(document)
                .ifPresent(words -> byNumber.append(index.number().toHexString(), words)));
        if (!byNumber.isEmpty()) {
            document.append(MongoCollections.WORDS, byNumber);
        }
    }

    private static void addPlaces(List<MongoIndexDefinition> indexes, BsonDocument document) {
        List<BsonValue> places = new ArrayList<>();
        indexes.stream()
                .filter(index -> index.spec().unique())
                .forEach(index -> places.addAll(places(index, document)));
        if (!places.isEmpty()) {
            document.append(MongoCollections.UNIQUE_KEYS, new BsonArray(places));
        }
    }

    /**
     * Returns the update that gives an object its hidden fields for one index; empty if it needs
     * none.
     */
    static Optional<Bson> hiddenFieldUpdate(MongoIndexDefinition index, BsonDocument document) {
        if (index.isText()) {
            return WordHashes.of(document).map(words -> Updates.set(index.wordsPath(), words));
        }
        List<BsonValue> places = places(index, document);
        return places.isEmpty()
                ? Optional.empty()
                : Optional.of(Updates.addEachToSet(MongoCollections.UNIQUE_KEYS, places));
    }

    /**
     * Returns the keys in one index: the number of the index and the hash, so that keys of dropped
     * indexes do no harm.
     */
    private static List<BsonValue> places(MongoIndexDefinition index, BsonDocument document) {
        return UniqueKeyHashes.of(index.spec(), document).stream()
                .sorted(Comparator.comparing(HashCode::toString))
                .<BsonValue>map(
                        place -> new BsonBinary(Bytes.concat(index.number().toByteArray(), place.asBytes())))
                .toList();
    }

    /**
     * Returns the exception for an object with a key of another one; an index that another program
     * created in MongoDB counts as well.
     */
    public ApiException violation(ObjectRef ref, BsonDocument taken) {
        return Optional.ofNullable(taken.get(MongoCollections.UNIQUE_KEYS))
                .filter(BsonValue::isBinary)
                .map(place -> Arrays.copyOf(place.asBinary().getData(), NUMBER_BYTES))
                .flatMap(number -> definitions.find(new ObjectId(number)))
                .map(index -> UniqueKeyHashes.violation(index.spec(), ref.id()))
                .orElseGet(() -> new ApiException(
                        ErrorCode.UNIQUE_INDEX_EXCEPTION,
                        "Unique index violation on " + String.join(", ", taken.keySet()) + " by the object "
                                + ref.id()));
    }
}
