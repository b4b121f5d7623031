package io.orestes.store.mongo;

import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mapper from stored documents to objects, which counts and skips documents that are no
 * objects. Thread-safe.
 */
final class DocumentMapper {

    private static final Logger LOG = LoggerFactory.getLogger(DocumentMapper.class);

    private static final BsonDateTime NEVER = new BsonDateTime(0);

    private final LongAdder leftOut = new LongAdder();
    private final Map<String, Boolean> reported = new ConcurrentHashMap<>();

    /** Whether a document has all metadata of an object. */
    static boolean isWhole(BsonDocument document) {
        BsonValue version = document.get(StoredObject.VERSION, BsonNull.VALUE);
        BsonValue acl = document.get(StoredObject.ACL, BsonNull.VALUE);
        return version.isInt64()
                && version.asInt64().getValue() > 0
                && document.get(StoredObject.CREATED_AT, BsonNull.VALUE).isDateTime()
                && document.get(StoredObject.UPDATED_AT, BsonNull.VALUE).isDateTime()
                && (acl.isNull() || acl.isDocument());
    }

    /** The object behind a whole document, which is changed. */
    static StoredObject object(ObjectRef ref, BsonDocument document) {
        MongoCollections.HELD.forEach(document::remove);
        if (!document.isString(StoredObject.ID)) {
            document.put(StoredObject.ID, new BsonString(ref.id()));
        }
        return new StoredObject(ref, document);
    }

    /**
     * The same for a document that may lack metadata: it looks as if it were from before all times.
     */
    Optional<StoredObject> provisional(String bucket, BsonDocument document) {
        return ref(bucket, document).map(ref -> {
            if (!isWhole(document)) {
                document.put(StoredObject.VERSION, new BsonInt64(0));
                document.put(StoredObject.CREATED_AT, NEVER);
                document.put(StoredObject.UPDATED_AT, NEVER);
                document.put(StoredObject.ACL, MetadataUpdate.readableAcl(document));
            }
            return object(ref, document);
        });
    }

    /**
     * The object that a document is about; one that is about none is counted, and the first of each
     * class logged.
     */
    Optional<ObjectRef> ref(String bucket, BsonDocument document) {
        BsonValue id = document.get(StoredObject.ID, BsonNull.VALUE);
        Optional<ObjectRef> ref = DocumentIds.ref(bucket, id);
        if (ref.isEmpty()) {
            leftOut.increment();
            if (reported.putIfAbsent(bucket, true) == null) {
                LOG.warn("Documents of {} are left out whose _id cannot be that of an object, e.g. {}", bucket, id);
            }
        }
        return ref;
    }

    /** How often a document was left out. */
    long leftOut() {
        return leftOut.sum();
    }
}
