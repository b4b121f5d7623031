package io.orestes.schema.codec;

import io.orestes.json.JsonWriter;
import io.orestes.model.ApiException;
import io.orestes.model.ObjectRef;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.FieldSchema;
import io.orestes.schema.model.Schema;
import io.orestes.schema.type.BasicValueDecoder;
import io.orestes.schema.type.FieldType;
import io.orestes.schema.type.NamingRules;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The decoder of request values to stored form. It fails with {@code INVALID_TYPE_VALUE}, which
 * names the field and the value.
 */
public final class ValueDecoder {

    private final Schema schema;

    public ValueDecoder(Schema schema) {
        this.schema = schema;
    }

    /**
     * Returns the stored form of a value, or fails if it does not fit the type.
     *
     * @param path position of the value in the object, for messages
     */
    public BsonValue decode(FieldType type, BsonValue value, String path) {
        if (value.isNull()) {
            return BsonNull.VALUE;
        }
        return switch (type.kind()) {
            case BASIC, REFERENCE -> single(type, value).orElseThrow(() -> misfit(type, value, path));
            case EMBEDDED -> embedded(type, object(type, value, path), path);
            case LIST -> elements(type.elementType(), array(type, value, path), path);
            case SET -> distinct(elements(type.elementType(), array(type, value, path), path));
            case MAP -> map(type, object(type, value, path), path);
        };
    }

    static ApiException unknownField(ClassSchema type, String path) {
        return ObjectValidator.invalid(path, type.ref() + " has no field " + NamingRules.shorten(path));
    }

    private Optional<BsonValue> single(FieldType type, BsonValue value) {
        return type.basicType()
                .flatMap(basic -> BasicValueDecoder.decode(basic, value))
                .or(() -> reference(type, value).map(BsonString::new));
    }

    private BsonDocument embedded(FieldType embedded, BsonDocument value, String path) {
        ClassSchema type = schema.get(embedded.embeddedClass().orElseThrow());
        for (String name : value.keySet()) {
            if (schema.field(type, name).isEmpty()) {
                throw unknownField(type, path + "." + name);
            }
        }
        BsonDocument stored = new BsonDocument();
        for (FieldSchema field : schema.fields(type)) {
            BsonValue member = value.get(field.name(), BsonNull.VALUE);
            stored.append(field.name(), decode(field.type(), member, path + "." + field.name()));
        }
        return stored;
    }

    /**
     * Returns the canonical id of an object of the referenced class or a subclass; an object with
     * an id may stand for its reference. Empty if the type is no reference.
     */
    private Optional<String> reference(FieldType type, BsonValue value) {
        BsonValue id = value.isDocument() ? value.asDocument().get("id", BsonNull.VALUE) : value;
        return type.referencedClass().flatMap(bucket -> Optional.of(id)
                .filter(BsonValue::isString)
                .flatMap(text -> ObjectRef.parse(text.asString().getValue()))
                .filter(ref -> schema.isA(ref.bucket(), bucket))
                .map(ObjectRef::id));
    }

    private BsonArray elements(FieldType type, List<BsonValue> values, String path) {
        BsonArray stored = new BsonArray(values.size());
        for (int i = 0; i < values.size(); i++) {
            stored.add(decode(type, values.get(i), path + "." + i));
        }
        return stored;
    }

    private static BsonArray distinct(BsonArray elements) {
        Set<BsonValue> distinct = new LinkedHashSet<>(elements);
        return distinct.size() == elements.size() ? elements : new BsonArray(List.copyOf(distinct));
    }

    private BsonDocument map(FieldType type, BsonDocument entries, String path) {
        FieldType keyType = type.keyType().orElseThrow();
        BsonDocument stored = new BsonDocument();
        for (Map.Entry<String, BsonValue> entry : entries.entrySet()) {
            String place = path + "." + entry.getKey();
            if (!entry.getValue().isNull()) {
                BsonValue key = new BsonString(entry.getKey());
                stored.append(key(keyType, key, place), decode(type.elementType(), entry.getValue(), place));
            }
        }
        return stored;
    }

    /** Returns the canonical spelling of a key, given as a value of its type or as text. */
    String key(FieldType keyType, BsonValue key, String path) {
        return canonicalKey(keyType, key).orElseThrow(() -> misfit(keyType, key, path));
    }

    /**
     * Returns the canonical spelling of a key, given as a value of its type or as text; empty if it
     * is not of the type.
     */
    public Optional<String> canonicalKey(FieldType keyType, BsonValue key) {
        return keyType.basicType()
                .flatMap(basic -> MapKeys.canonical(basic, text(key)))
                .or(() -> reference(keyType, key));
    }

    private static String text(BsonValue key) {
        return key.isString() ? key.asString().getValue() : JsonWriter.print(key);
    }

    private static BsonDocument object(FieldType type, BsonValue value, String path) {
        if (!value.isDocument()) {
            throw misfit(type, value, path);
        }
        return value.asDocument();
    }

    private static BsonArray array(FieldType type, BsonValue value, String path) {
        if (!value.isArray()) {
            throw misfit(type, value, path);
        }
        return value.asArray();
    }

    private static ApiException misfit(FieldType type, BsonValue value, String path) {
        return ObjectValidator.invalid(
                path,
                "The value of " + NamingRules.shorten(path) + " is not of type " + type.ref() + ": "
                        + NamingRules.shorten(JsonWriter.print(value)));
    }
}
