package io.orestes.schema.codec;

import io.orestes.json.WireDates;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.FieldSchema;
import io.orestes.schema.model.Schema;
import io.orestes.schema.type.BasicType;
import io.orestes.schema.type.ClassType;
import io.orestes.schema.type.CollectionType;
import io.orestes.schema.type.FieldType;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The encoder of stored values to wire form, tolerant of values from before a schema change. A
 * value of another type than the field's current one reads as {@code null}. Embedded objects get
 * missing fields and lose removed ones.
 */
public final class ValueEncoder {

    private final Schema schema;

    public ValueEncoder(Schema schema) {
        this.schema = schema;
    }

    public BsonValue encode(FieldType type, @Nullable BsonValue stored) {
        if (stored == null || !type.isOf(stored)) {
            return BsonNull.VALUE;
        }
        if (type == BasicType.TIME) {
            return time(stored.asString().getValue());
        }
        if (type instanceof ClassType.Embedded embedded) {
            return embedded(schema.get(embedded.bucket()), stored.asDocument());
        }
        return type instanceof CollectionType many && differs(many.element()) ? collection(many, stored) : stored;
    }

    /** Returns whether the wire form of a type differs from the stored form. */
    private static boolean differs(FieldType type) {
        return type == BasicType.TIME || type instanceof ClassType.Embedded;
    }

    private BsonDocument embedded(ClassSchema type, BsonDocument stored) {
        BsonDocument wire = new BsonDocument();
        for (FieldSchema field : schema.fields(type)) {
            wire.append(field.name(), encode(field.type(), stored.get(field.name())));
        }
        return wire;
    }

    private BsonValue collection(CollectionType type, BsonValue stored) {
        if (stored.getBsonType() == BsonType.ARRAY) {
            BsonArray wire = new BsonArray(stored.asArray().size());
            stored.asArray().forEach(element -> wire.add(encode(type.element(), element)));
            return wire;
        }
        BsonDocument wire = new BsonDocument();
        stored.asDocument().forEach((key, value) -> wire.append(key, encode(type.element(), value)));
        return wire;
    }

    private static BsonValue time(String stored) {
        Optional<BsonValue> wire = WireDates.parseTime(stored).map(time -> new BsonString(WireDates.time(time)));
        return wire.orElse(BsonNull.VALUE);
    }
}
