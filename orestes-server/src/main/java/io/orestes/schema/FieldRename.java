package io.orestes.schema;

import org.bson.BsonDocument;
import org.bson.BsonString;

/** The renaming of a field in a class and its subclasses. */
record FieldRename(String bucket, String from, String to) {

    static FieldRename of(BsonDocument stored) {
        return new FieldRename(
                JsonMembers.requiredText(stored, "bucket"),
                JsonMembers.requiredText(stored, "from"),
                JsonMembers.requiredText(stored, "to"));
    }

    BsonDocument toBson() {
        return new BsonDocument("bucket", new BsonString(bucket))
                .append("from", new BsonString(from))
                .append("to", new BsonString(to));
    }
}
