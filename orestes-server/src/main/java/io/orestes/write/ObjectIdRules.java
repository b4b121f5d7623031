package io.orestes.write;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** The rules for the ids that writers choose for objects. */
public final class ObjectIdRules {

    /**
     * Names of resources that every class has (protocol §3.2): an object with such a key could not
     * be loaded.
     */
    private static final Set<String> RESERVED_KEYS = Set.of("query", "count", "ids", "events", "bulk");

    private ObjectIdRules() {}

    /** True if no object can have that key. */
    public static boolean isReserved(String key) {
        return RESERVED_KEYS.contains(key);
    }

    /**
     * Returns the object that a body names; fails with {@code BAD_REQUEST} if its id is none of
     * this class.
     */
    public static Optional<ObjectRef> idIn(BsonDocument body, String bucket) {
        BsonValue id = body.get("id");
        if (id == null || id.isNull()) {
            return Optional.empty();
        }
        return Optional.of(refOf(id, bucket));
    }

    private static ObjectRef refOf(BsonValue id, String bucket) {
        return Optional.of(id)
                .filter(BsonValue::isString)
                .flatMap(text -> ObjectRef.parse(text.asString().getValue()))
                .filter(ref -> ref.bucket().equals(bucket))
                .orElseThrow(() -> new ApiException(
                        ErrorCode.BAD_REQUEST,
                        "Not the id of an object of the class " + bucket + "; " + ObjectRef.KEY_RULE));
    }

    /** Creates the reference of an object whose id nobody chose. */
    static ObjectRef newRef(String bucket) {
        return new ObjectRef(bucket, UUID.randomUUID().toString());
    }

    static void requireFree(ObjectRef ref) {
        if (isReserved(ref.key())) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "The key is reserved: " + ref.key());
        }
    }

    /** Fails with {@code BAD_REQUEST} if the body names another object. */
    static void requireSameId(BsonDocument body, ObjectRef ref) {
        if (idIn(body, ref.bucket()).filter(id -> !id.equals(ref)).isPresent()) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "The body's id is not the one of the path: " + ref.id());
        }
    }
}
