package io.orestes.schema.codec;

import io.invalidb.aggregation.AggregateSpec;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.FieldSchema;
import io.orestes.schema.model.Schema;
import io.orestes.schema.type.BasicType;
import io.orestes.schema.type.FieldType;
import io.orestes.schema.type.TypeKind;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The codec that brings the rows of aggregates to their wire form. Values that were taken from
 * fields get the wire forms of the fields' types. The keys of groups spell numbers in one way
 * whatever their field's type, so numeric types are ignored. Immutable.
 */
public final class AggregateRowCodec {

    private final Schema schema;
    private final WireValueEncoder encoder;

    public AggregateRowCodec(Schema schema) {
        this.schema = schema;
        this.encoder = new WireValueEncoder(schema);
    }

    /** Encodes a row of an aggregate over a class. */
    public BsonDocument encode(String bucket, AggregateSpec spec, BsonDocument row) {
        FieldPathResolver paths = new FieldPathResolver(schema, schema.get(bucket));
        return spec.withFieldValues(row, (path, value) -> paths.typeOf(path)
                .map(type -> encode(type, value))
                .orElse(value));
    }

    /** Encodes a value; a path through lists yields lists of values. */
    private BsonValue encode(FieldType type, BsonValue value) {
        if (value instanceof BsonArray many) {
            FieldType element = type.elementType();
            BsonArray encoded = new BsonArray(many.size());
            many.forEach(each -> encoded.add(encode(element, each)));
            return encoded;
        }
        if (type == BasicType.TIME && value instanceof BsonString) {
            return encoder.encode(type, value);
        }
        return value instanceof BsonDocument document ? members(type, document) : value;
    }

    private BsonDocument members(FieldType type, BsonDocument stored) {
        return type.embeddedClass()
                .map(bucket -> embedded(schema.get(bucket), stored))
                .orElseGet(() -> type.kind() == TypeKind.MAP ? entries(type, stored) : stored);
    }

    private BsonDocument entries(FieldType type, BsonDocument stored) {
        return type.mapElements(stored, this::encode).asDocument();
    }

    private BsonDocument embedded(ClassSchema type, BsonDocument stored) {
        BsonDocument encoded = new BsonDocument();
        for (FieldSchema field : schema.fields(type)) {
            encoded.append(field.name(), encode(field.type(), stored.get(field.name(), BsonNull.VALUE)));
        }
        return encoded;
    }
}
