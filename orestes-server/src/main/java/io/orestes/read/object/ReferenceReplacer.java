package io.orestes.read.object;

import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.FieldSchema;
import io.orestes.schema.model.Schema;
import io.orestes.schema.type.ClassType;
import io.orestes.schema.type.CollectionType;
import io.orestes.schema.type.FieldType;
import java.util.function.UnaryOperator;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;

/**
 * A replacer of references in the wire form of objects, including those in embedded objects and
 * collections.
 */
final class ReferenceReplacer {

    private final Schema schema;

    ReferenceReplacer(Schema schema) {
        this.schema = schema;
    }

    /** Returns a copy of an object in which {@code replacement} stands for each reference. */
    BsonDocument replaced(ClassSchema type, BsonDocument wire, UnaryOperator<BsonValue> replacement) {
        BsonDocument copy = new BsonDocument();
        copy.putAll(wire);
        for (FieldSchema field : schema.fields(type)) {
            BsonValue value = wire.get(field.name(), BsonNull.VALUE);
            copy.append(field.name(), replaced(field.type(), value, replacement));
        }
        return copy;
    }

    private BsonValue replaced(FieldType type, BsonValue value, UnaryOperator<BsonValue> replacement) {
        if (value.isNull()) {
            return value;
        }
        if (type instanceof ClassType.Reference) {
            return replacement.apply(value);
        }
        if (type instanceof ClassType.Embedded embedded) {
            return replaced(schema.get(embedded.bucket()), value.asDocument(), replacement);
        }
        return type instanceof CollectionType many && many.element() instanceof ClassType
                ? elements(many.element(), value, replacement)
                : value;
    }

    private BsonValue elements(FieldType type, BsonValue values, UnaryOperator<BsonValue> replacement) {
        if (values.isArray()) {
            BsonArray copy = new BsonArray(values.asArray().size());
            values.asArray().forEach(element -> copy.add(replaced(type, element, replacement)));
            return copy;
        }
        BsonDocument copy = new BsonDocument();
        values.asDocument().forEach((key, element) -> copy.append(key, replaced(type, element, replacement)));
        return copy;
    }
}
