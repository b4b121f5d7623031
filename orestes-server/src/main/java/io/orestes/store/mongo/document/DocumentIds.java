package io.orestes.store.mongo.document;

import com.mongodb.client.model.Filters;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.bson.types.ObjectId;

/**
 * The mapping between the {@code _id} of documents, strings or object ids, and references to
 * objects. The store itself writes strings. An {@link ObjectId} that another program chose
 * represents the object whose key is its 24 digits. Any other id represents no object. The mapping
 * also creates the filters for one object and for one state of it.
 */
public final class DocumentIds {

    private static final int LENGTH = 24;
    private static final Pattern DIGITS = Pattern.compile("[0-9a-f]{" + LENGTH + "}");

    private DocumentIds() {}

    /** Returns the object; empty if the id represents none of this class. */
    public static Optional<ObjectRef> ref(String bucket, BsonValue id) {
        if (id.isObjectId()) {
            return Optional.of(new ObjectRef(bucket, id.asObjectId().getValue().toHexString()));
        }
        return id.isString()
                ? ObjectRef.parse(id.asString().getValue())
                        .filter(ref -> ref.bucket().equals(bucket)
                                && ref.id().equals(id.asString().getValue()))
                : Optional.empty();
    }

    /** True if another program may have chosen the object's id. */
    public static boolean mayBeForeign(ObjectRef ref) {
        return DIGITS.matcher(ref.key()).matches();
    }

    /** Returns the possible values of the object's {@code _id}. */
    static List<BsonValue> of(ObjectRef ref) {
        BsonString own = new BsonString(ref.id());
        return mayBeForeign(ref) ? List.of(own, new BsonObjectId(new ObjectId(ref.key()))) : List.of(own);
    }

    /** Returns a condition that only these objects meet. */
    public static BsonDocument anyOf(Collection<ObjectRef> refs) {
        BsonArray ids = new BsonArray();
        refs.forEach(ref -> ids.addAll(of(ref)));
        return new BsonDocument(StoredObject.ID, new BsonDocument("$in", ids));
    }

    /** Returns a condition that only this object meets. */
    public static BsonDocument only(ObjectRef ref) {
        return mayBeForeign(ref) ? anyOf(List.of(ref)) : new BsonDocument(StoredObject.ID, new BsonString(ref.id()));
    }

    /**
     * Returns a filter that matches only this state of the object. The permissions are part of it,
     * since another program may change them without a new version.
     */
    public static BsonDocument state(StoredObject object) {
        return only(object.ref())
                .append(StoredObject.VERSION, new BsonInt64(object.version()))
                .append(StoredObject.CREATED_AT, new BsonDateTime(object.createdAt()))
                .append(StoredObject.UPDATED_AT, new BsonDateTime(object.updatedAt()))
                .append(
                        StoredObject.ACL,
                        new BsonDocument("$eq", object.document().get(StoredObject.ACL, BsonNull.VALUE)));
    }

    /** Returns the document that replaces the object's, without changing its {@code _id}. */
    public static BsonDocument replacement(ObjectRef ref, BsonDocument document) {
        if (!mayBeForeign(ref)) {
            return document;
        }
        BsonDocument rest = new BsonDocument();
        rest.putAll(document);
        rest.remove(StoredObject.ID);
        return rest;
    }

    /**
     * Returns a filter for the ids of other programs that represent objects whose keys come after
     * this one.
     *
     * @param key as it is spelled in ids
     */
    public static Bson foreignAfter(String key) {
        StringBuilder bound = new StringBuilder();
        for (int i = 0; i < LENGTH; i++) {
            char letter = i < key.length() ? key.charAt(i) : 0;
            if ((letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f')) {
                bound.append(letter);
            } else if (letter > 'f') {
                return Filters.gt(StoredObject.ID, padded(bound, 'f'));
            } else {
                return Filters.gte(StoredObject.ID, padded(letter > '9' ? bound.append('a') : bound, '0'));
            }
        }
        return Filters.gt(StoredObject.ID, padded(bound, '0'));
    }

    private static ObjectId padded(StringBuilder digits, char digit) {
        while (digits.length() < LENGTH) {
            digits.append(digit);
        }
        return new ObjectId(digits.toString());
    }
}
