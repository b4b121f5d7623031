package io.orestes.read.translation;

import io.orestes.schema.codec.FieldPathResolver;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.Schema;
import io.orestes.schema.type.NamingRules;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The translator of aggregates from the fields of clients to those of stored documents. Aggregates
 * reveal values of fields, so only fields that the class has can be named. The parser of aggregates
 * reports all other errors. Immutable.
 */
final class AggregateTranslator {

    private static final String GROUP = "_id";

    private final Schema schema;
    private final ClassSchema type;

    AggregateTranslator(Schema schema, ClassSchema type) {
        this.schema = schema;
        this.type = type;
    }

    BsonDocument translate(BsonDocument wire) {
        BsonDocument stored = new BsonDocument();
        wire.forEach((name, value) -> stored.append(name.equals(GROUP) ? name : named(name), operands(value)));
        return stored;
    }

    /** Translates the paths in a key, or in the operands of a computed field. */
    private BsonValue operands(BsonValue value) {
        if (!value.isDocument()) {
            return operand(value);
        }
        BsonDocument stored = new BsonDocument();
        value.asDocument()
                .forEach((name, operand) -> stored.append(name.startsWith("$") ? name : named(name), operand(operand)));
        return stored;
    }

    private BsonValue operand(BsonValue value) {
        boolean isPath = value instanceof BsonString text
                && text.getValue().startsWith("$")
                && !text.getValue().startsWith("$$");
        return isPath ? path(value.asString().getValue().substring(1)) : value;
    }

    private BsonString path(String path) {
        String field = path.split("\\.", 2)[0];
        if (schema.field(type, field).isEmpty()) {
            throw QueryTranslator.syntax("Not a field of " + type.ref() + ": '" + NamingRules.shorten(field) + "'");
        }
        return new BsonString("$" + FieldPathResolver.storedPath(path));
    }

    private static String named(String name) {
        if (!NamingRules.isFieldName(name)) {
            throw QueryTranslator.syntax("Not the name of a field: '" + NamingRules.shorten(name) + "'");
        }
        return name;
    }
}
