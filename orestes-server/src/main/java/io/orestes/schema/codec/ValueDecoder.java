package io.orestes.schema.codec;

import io.orestes.json.JsonWriter;
import io.orestes.model.ApiException;
import io.orestes.model.ObjectRef;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.FieldSchema;
import io.orestes.schema.model.Schema;
import io.orestes.schema.type.BasicType;
import io.orestes.schema.type.BasicValueDecoder;
import io.orestes.schema.type.ClassType;
import io.orestes.schema.type.CollectionType;
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
        if (type instanceof BasicType basic) {
            return BasicValueDecoder.decode(basic, value).orElseThrow(() -> misfit(type, value, path));
        }
        return type instanceof ClassType named ? ofClass(named, value, path) : collection(type, value, path);
    }

    static ApiException unknownField(ClassSchema type, String path) {
        return ObjectValidator.invalid(path, type.ref() + " has no field " + NamingRules.shorten(path));
    }

    private BsonValue ofClass(ClassType type, BsonValue value, String path) {
        return type instanceof ClassType.Embedded
                ? embedded(schema.get(type.bucket()), object(type, value, path), path)
                : new BsonString(reference(type, value).orElseThrow(() -> misfit(type, value, path)));
    }

    private BsonValue collection(FieldType type, BsonValue value, String path) {
        if (type instanceof CollectionType.MapOf map) {
            return map(map, object(map, value, path), path);
        }
        FieldType element = ((CollectionType) type).element();
        BsonArray elements = elements(element, array(type, value, path), path);
        return type instanceof CollectionType.SetOf ? distinct(elements) : elements;
    }

    private BsonDocument embedded(ClassSchema type, BsonDocument value, String path) {
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
     * Returns the canonical id of an object of the class or a subclass; an object with an id may
     * stand for its reference.
     */
    private Optional<String> reference(ClassType type, BsonValue value) {
        BsonValue id = value.isDocument() ? value.asDocument().get("id", BsonNull.VALUE) : value;
        return Optional.of(id)
                .filter(BsonValue::isString)
                .flatMap(text -> ObjectRef.parse(text.asString().getValue()))
                .filter(ref -> schema.isA(ref.bucket(), type.bucket()))
                .map(ObjectRef::id);
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

    private BsonDocument map(CollectionType.MapOf type, BsonDocument entries, String path) {
        BsonDocument stored = new BsonDocument();
        for (Map.Entry<String, BsonValue> entry : entries.entrySet()) {
            String place = path + "." + entry.getKey();
            if (!entry.getValue().isNull()) {
                BsonValue key = new BsonString(entry.getKey());
                stored.append(key(type, key, place), decode(type.element(), entry.getValue(), place));
            }
        }
        return stored;
    }

    /** Returns the canonical spelling of a key, given as a value of its type or as text. */
    String key(CollectionType.MapOf type, BsonValue key, String path) {
        Optional<String> canonical = type.key() instanceof BasicType basic
                ? MapKeys.canonical(basic, text(key))
                : reference((ClassType) type.key(), key);
        return canonical.orElseThrow(() -> misfit(type.key(), key, path));
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
