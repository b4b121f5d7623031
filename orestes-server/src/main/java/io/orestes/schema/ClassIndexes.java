package io.orestes.schema;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.StoredObject;
import io.orestes.store.IndexKeys;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The declared indexes of classes in their wire form (protocol §11). Geo indexes are not there yet. */
public final class ClassIndexes {

    /** The index that keeps user names apart; there is always one, and requests cannot remove it. */
    public static final IndexKeys USER_NAMES = IndexKeys.ascending("username").asUnique();

    private static final String ID = "id";

    private final ObjectStore store;

    public ClassIndexes(ObjectStore store) {
        this.store = store;
    }

    /** All indexes of a class, the primary one first. */
    public Future<BsonArray> list(ClassSchema type) {
        return store.indexes(type.name()).map(indexes -> {
            BsonArray list = new BsonArray();
            list.add(describe(List.of(new IndexKeys.Key(StoredObject.ID, true)), true));
            indexes.forEach(index -> list.add(describe(index.keys(), index.unique())));
            return list;
        });
    }

    /** To be asked before the schema is, and given with what follows from it. */
    public long form(String bucket) {
        return store.form(bucket);
    }

    /**
     * Declares the index described, or drops what there is with these keys, unique or not, if {@code drop} is true. Fails
     * with {@code BAD_REQUEST} if it is malformed, with {@code UNIQUE_INDEX_EXCEPTION} if it cannot be unique,
     * with {@code BUCKET_NOT_FOUND} if the class was removed since it had that form.
     */
    public Future<Void> change(ClassSchema type, long form, BsonDocument descriptor) {
        IndexKeys keys = keys(descriptor);
        boolean unique = Members.flag(descriptor, "unique");
        return Members.flag(descriptor, "drop")
                ? drop(type, List.of(keys, keys.asUnique()))
                : store.createIndex(type.name(), unique ? keys.asUnique() : keys, form);
    }

    /** Drops all indexes of a class but the primary one. */
    public Future<Void> dropAll(ClassSchema type) {
        return store.indexes(type.name()).compose(indexes -> drop(type, indexes));
    }

    private Future<Void> drop(ClassSchema type, List<IndexKeys> indexes) {
        return Future.join(indexes.stream()
                        .filter(index -> !isNeeded(type, index))
                        .<Future<?>>map(index -> store.dropIndex(type.name(), index))
                        .toList())
                .mapEmpty();
    }

    private static boolean isNeeded(ClassSchema type, IndexKeys index) {
        return type.name().equals("User") && index.equals(USER_NAMES);
    }

    private static IndexKeys keys(BsonDocument descriptor) {
        BsonValue keys = descriptor.get("keys");
        if (keys == null || !keys.isArray() || keys.asArray().isEmpty()) {
            throw invalid("keys has to be an array of fields with their directions");
        }
        return new IndexKeys(keys.asArray().stream().map(ClassIndexes::key).toList());
    }

    private static IndexKeys.Key key(BsonValue element) {
        if (!element.isDocument() || element.asDocument().size() != 1) {
            throw invalid("Each element of keys has exactly one member");
        }
        String path = element.asDocument().getFirstKey();
        String direction = element.asDocument().isString(path)
                ? element.asDocument().getString(path).getValue()
                : "";
        if (!direction.equals("asc") && !direction.equals("desc")) {
            throw invalid("The direction of " + path + " has to be asc or desc");
        }
        return new IndexKeys.Key(path.equals(ID) ? StoredObject.ID : path, direction.equals("asc"));
    }

    private static BsonDocument describe(List<IndexKeys.Key> keys, boolean unique) {
        BsonArray list = new BsonArray();
        keys.forEach(key -> list.add(new BsonDocument(
                key.path().equals(StoredObject.ID) ? ID : key.path(),
                new BsonString(key.ascending() ? "asc" : "desc"))));
        return new BsonDocument("keys", list).append("unique", BsonBoolean.valueOf(unique));
    }

    private static ApiException invalid(String message) {
        return new ApiException(ErrorCode.BAD_REQUEST, message);
    }
}
