package io.orestes.schema;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.StoredObject;
import io.orestes.schema.codec.FieldPathResolver;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.JsonObjectReader;
import io.orestes.schema.model.Schema;
import io.orestes.schema.type.BasicType;
import io.orestes.store.IndexSpec;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;

/**
 * The service that lists, declares and drops the indexes of classes in wire form (protocol §11).
 */
public final class ClassIndexService {

    /** The unique index on user names, which always exists; requests cannot remove it. */
    public static final IndexSpec USER_NAMES = IndexSpec.ascending("username").asUnique();

    /**
     * The index for the roles of a user, oldest first, which always exists; requests cannot remove
     * it.
     */
    public static final IndexSpec ROLE_MEMBERS = new IndexSpec(List.of(
            new IndexSpec.IndexedField("users", true), new IndexSpec.IndexedField(StoredObject.CREATED_AT, true)));

    private static final int MAX_INDEXES = 64;

    private final ObjectStore store;

    public ClassIndexService(ObjectStore store) {
        this.store = store;
    }

    /**
     * Lists all indexes of a class: the primary one first, those under construction last with their
     * progress.
     */
    public Future<BsonArray> list(ClassSchema type) {
        // in this order, so that an index that becomes ready in between is in both
        return store.unfinishedIndexes(type.name())
                .compose(unfinished -> store.indexes(type.name()).map(ready -> list(ready, unfinished)));
    }

    private static BsonArray list(List<IndexSpec> ready, Map<IndexSpec, Double> unfinished) {
        BsonArray list = new BsonArray();
        list.add(IndexDescriptorCodec.of(IndexSpec.ascending(StoredObject.ID).asUnique()));
        ready.forEach(index -> list.add(IndexDescriptorCodec.of(index)));
        unfinished.forEach((index, progress) -> {
            if (!ready.contains(index)) {
                list.add(IndexDescriptorCodec.of(index)
                        .append("building", new BsonDouble(Math.floor(progress * 100) / 100)));
            }
        });
        return list;
    }

    /**
     * Returns the schema epoch of a class. To be read before the schema, and passed with the
     * changes that follow from it.
     */
    public long schemaEpoch(String bucket) {
        return store.schemaEpoch(bucket);
    }

    /**
     * Declares the described index, or drops those with these keys, unique or not, if {@code drop}
     * is true. Fails with {@code BAD_REQUEST} if it is malformed or exceeds the maximum number,
     * with {@code UNIQUE_INDEX_EXCEPTION} if it cannot be unique, with {@code BUCKET_NOT_FOUND} if
     * the class was removed since that epoch.
     */
    public Future<Void> change(Schema schema, ClassSchema type, long schemaEpoch, BsonDocument descriptor) {
        FieldPathResolver paths = new FieldPathResolver(schema, type);
        IndexSpec asked = IndexDescriptorCodec.parse(descriptor);
        IndexSpec index = new IndexSpec(
                asked.keys().stream().map(key -> asStored(key, paths)).toList(), asked.unique());
        return JsonObjectReader.flag(descriptor, "drop")
                ? drop(
                        type,
                        Stream.of(asked, index)
                                .flatMap(each -> Stream.of(each.asPlain(), each.asUnique()))
                                .toList())
                : create(type, index, schemaEpoch);
    }

    /** Declares the index that serves {@code $text}; fails as {@link #change} does. */
    public Future<Void> createText(ClassSchema type, long schemaEpoch) {
        return create(type, IndexSpec.TEXT, schemaEpoch);
    }

    /** Drops the text index, if there is one. */
    public Future<Void> dropText(ClassSchema type) {
        return store.dropIndex(type.name(), IndexSpec.TEXT);
    }

    /** Drops all indexes of a class but the primary one and those that the server needs. */
    public Future<Void> dropAll(ClassSchema type) {
        return known(type).compose(indexes -> drop(type, indexes));
    }

    private Future<Void> create(ClassSchema type, IndexSpec index, long schemaEpoch) {
        return isPrimary(index)
                ? Future.succeededFuture()
                : known(type).compose(indexes -> {
                    if (!indexes.contains(index) && indexes.size() >= MAX_INDEXES) {
                        throw new ApiException(
                                ErrorCode.BAD_REQUEST, "A class has at most " + MAX_INDEXES + " indexes");
                    }
                    return store.createIndex(type.name(), index, schemaEpoch);
                });
    }

    private Future<List<IndexSpec>> known(ClassSchema type) {
        return store.unfinishedIndexes(type.name()).compose(unfinished -> store.indexes(type.name())
                .map(ready -> Stream.concat(ready.stream(), unfinished.keySet().stream())
                        .distinct()
                        .toList()));
    }

    private Future<Void> drop(ClassSchema type, List<IndexSpec> indexes) {
        return Future.join(indexes.stream()
                        .filter(index -> !isNeeded(type, index))
                        .<Future<?>>map(index -> store.dropIndex(type.name(), index))
                        .toList())
                .mapEmpty();
    }

    private static boolean isNeeded(ClassSchema type, IndexSpec index) {
        return (type.name().equals("User") && index.equals(USER_NAMES))
                || (type.name().equals("Role") && index.equals(ROLE_MEMBERS));
    }

    /** Returns whether this is the primary index; ids are ordered by the stored key. */
    private static boolean isPrimary(IndexSpec index) {
        return index.keys().size() == 1 && index.keys().get(0).path().equals(StoredObject.ID);
    }

    /** Returns the key as stored. Geo points have no order, so an index on them is a geo index. */
    private static IndexSpec.IndexedField asStored(IndexSpec.IndexedField key, FieldPathResolver paths) {
        return paths.typeOf(key.path()).filter(BasicType.GEO_POINT::equals).isPresent()
                ? new IndexSpec.IndexedField(key.path(), IndexSpec.IndexKind.GEO)
                : key;
    }
}
