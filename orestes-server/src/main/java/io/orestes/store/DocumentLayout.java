package io.orestes.store;

import static io.orestes.model.StoredObject.ACL;
import static io.orestes.model.StoredObject.CREATED_AT;
import static io.orestes.model.StoredObject.ID;
import static io.orestes.model.StoredObject.METADATA;
import static io.orestes.model.StoredObject.READ_ALLOWED;
import static io.orestes.model.StoredObject.READ_DENIED;
import static io.orestes.model.StoredObject.UPDATED_AT;
import static io.orestes.model.StoredObject.VERSION;

import io.orestes.model.Acl;
import io.orestes.model.ObjectRef;
import java.util.Collection;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;

/**
 * The order of fields in every stored document: metadata, the fields of the class as given, and the
 * ids that may or may not read.
 */
public final class DocumentLayout {

    private DocumentLayout() {}

    /**
     * Builds the document of an object with version and times 0. Metadata in {@code fields} is left
     * out.
     */
    public static BsonDocument of(ObjectRef ref, BsonDocument fields) {
        Acl acl = Acl.fromBson(fields.get(ACL, BsonNull.VALUE));
        BsonDocument document = new BsonDocument(ID, new BsonString(ref.id())).append(VERSION, new BsonInt64(0));
        if (!acl.equals(Acl.PUBLIC)) {
            document.append(ACL, acl.toBson());
        }
        document.append(CREATED_AT, new BsonDateTime(0)).append(UPDATED_AT, new BsonDateTime(0));
        fields.forEach((name, value) -> {
            if (!METADATA.contains(name)) {
                document.append(name, value);
            }
        });
        appendIds(document, READ_ALLOWED, acl.read().allowed());
        appendIds(document, READ_DENIED, acl.read().denied());
        return document;
    }

    /** Sets version and times, which {@link #of} leaves at 0. */
    public static void complete(BsonDocument document, long version, long created, long updated) {
        document.put(VERSION, new BsonInt64(version));
        document.put(CREATED_AT, new BsonDateTime(created));
        document.put(UPDATED_AT, new BsonDateTime(updated));
    }

    private static void appendIds(BsonDocument document, String name, Collection<String> ids) {
        if (!ids.isEmpty()) {
            document.append(
                    name,
                    new BsonArray(ids.stream().sorted().map(BsonString::new).toList()));
        }
    }
}
