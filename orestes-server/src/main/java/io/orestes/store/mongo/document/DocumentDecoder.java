package io.orestes.store.mongo.document;

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
 * The decoder of stored documents to objects, which counts and skips documents that are no
 * objects. Thread-safe.
 */
public final class DocumentDecoder {

    private static final Logger LOG = LoggerFactory.getLogger(DocumentDecoder.class);

    private static final BsonDateTime NEVER = new BsonDateTime(0);

    private final LongAdder skipped = new LongAdder();
    private final Map<String, Boolean> reported = new ConcurrentHashMap<>();

    /** True if a document has all metadata of an object. */
    public static boolean hasMetadata(BsonDocument document) {
        BsonValue version = document.get(StoredObject.VERSION, BsonNull.VALUE);
        BsonValue acl = document.get(StoredObject.ACL, BsonNull.VALUE);
        return version.isInt64()
                && version.asInt64().getValue() > 0
                && document.get(StoredObject.CREATED_AT, BsonNull.VALUE).isDateTime()
                && document.get(StoredObject.UPDATED_AT, BsonNull.VALUE).isDateTime()
                && (acl.isNull() || acl.isDocument());
    }

    /** Maps a document with complete metadata to its object; changes the document. */
    public static StoredObject object(ObjectRef ref, BsonDocument document) {
        MongoCollections.HIDDEN_FIELDS.forEach(document::remove);
        if (!document.isString(StoredObject.ID)) {
            document.put(StoredObject.ID, new BsonString(ref.id()));
        }
        return new StoredObject(ref, document);
    }

    /**
     * Maps a document that may lack metadata; missing metadata is replaced by version 0 and the
     * time 0.
     */
    Optional<StoredObject> provisional(String bucket, BsonDocument document) {
        return ref(bucket, document).map(ref -> {
            if (!hasMetadata(document)) {
                document.put(StoredObject.VERSION, new BsonInt64(0));
                document.put(StoredObject.CREATED_AT, NEVER);
                document.put(StoredObject.UPDATED_AT, NEVER);
                document.put(StoredObject.ACL, MissingMetadataUpdate.readableAcl(document));
            }
            return object(ref, document);
        });
    }

    /**
     * Returns the reference of a document's object. If it represents none, counts it and logs the
     * first of each class.
     */
    Optional<ObjectRef> ref(String bucket, BsonDocument document) {
        BsonValue id = document.get(StoredObject.ID, BsonNull.VALUE);
        Optional<ObjectRef> ref = DocumentIds.ref(bucket, id);
        if (ref.isEmpty()) {
            skipped.increment();
            if (reported.putIfAbsent(bucket, true) == null) {
                LOG.warn("Documents of {} are skipped whose _id cannot be that of an object, e.g. {}", bucket, id);
            }
        }
        return ref;
    }

    /** Returns the number of skipped documents. */
    public long skippedCount() {
        return skipped.sum();
    }
}
