package io.orestes.schema.migration;

import io.orestes.schema.model.JsonObjectReader;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** The renaming of a field in a class and its subclasses. */
public record FieldRename(String bucket, String from, String to) {

    public static FieldRename of(BsonDocument stored) {
        return new FieldRename(
                JsonObjectReader.requiredText(stored, "bucket"),
                JsonObjectReader.requiredText(stored, "from"),
                JsonObjectReader.requiredText(stored, "to"));
    }

    public BsonDocument toBson() {
        return new BsonDocument("bucket", new BsonString(bucket))
                .append("from", new BsonString(from))
                .append("to", new BsonString(to));
    }
}
