package io.orestes.schema.codec;

import io.orestes.json.WireDates;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.FieldSchema;
import io.orestes.schema.model.Schema;
import io.orestes.schema.type.BasicType;
import io.orestes.schema.type.FieldType;
import io.orestes.schema.type.TypeKind;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The encoder of stored values to wire form, tolerant of values from before a schema change. A
 * value of another type than the field's current one reads as {@code null}. Embedded objects get
 * missing fields and lose removed ones.
 */
public final class WireValueEncoder {

    private final Schema schema;

    public WireValueEncoder(Schema schema) {
        this.schema = schema;
    }

    public BsonValue encode(FieldType type, @Nullable BsonValue stored) {
        if (stored == null || !type.isOf(stored)) {
            return BsonNull.VALUE;
        }
        return differs(type.elementType()) ? type.mapElements(stored, this::encodeElement) : stored;
    }

    /** Returns whether the wire form of single values of a type differs from the stored form. */
    private static boolean differs(FieldType type) {
        return type == BasicType.TIME || type.kind() == TypeKind.EMBEDDED;
    }

    private BsonValue encodeElement(FieldType type, BsonValue stored) {
        if (!type.isOf(stored)) {
            return BsonNull.VALUE;
        }
        return type.embeddedClass()
                .<BsonValue>map(bucket -> embedded(schema.get(bucket), stored.asDocument()))
                .orElseGet(() -> time(stored.asString().getValue()));
    }

    private BsonDocument embedded(ClassSchema type, BsonDocument stored) {
        BsonDocument wire = new BsonDocument();
        for (FieldSchema field : schema.fields(type)) {
            wire.append(field.name(), encode(field.type(), stored.get(field.name())));
        }
        return wire;
    }

    private static BsonValue time(String stored) {
        Optional<BsonValue> wire = WireDates.parseTime(stored).map(time -> new BsonString(WireDates.time(time)));
        return wire.orElse(BsonNull.VALUE);
    }
}
