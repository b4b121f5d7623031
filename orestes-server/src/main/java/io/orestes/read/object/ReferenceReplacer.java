package io.orestes.read.object;

import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.FieldSchema;
import io.orestes.schema.model.Schema;
import io.orestes.schema.type.FieldType;
import io.orestes.schema.type.TypeKind;
import java.util.function.UnaryOperator;
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
        return type.elementType().kind() == TypeKind.BASIC
                ? value
                : type.mapElements(value, (elementType, element) -> replacedElement(elementType, element, replacement));
    }

    private BsonValue replacedElement(FieldType type, BsonValue value, UnaryOperator<BsonValue> replacement) {
        return value.isNull()
                ? value
                : type.embeddedClass()
                        .<BsonValue>map(bucket -> replaced(schema.get(bucket), value.asDocument(), replacement))
                        .orElseGet(() -> replacement.apply(value));
    }
}
