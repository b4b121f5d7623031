package io.orestes.read.translation;

import io.orestes.json.JsonReader;
import io.orestes.json.WireDates;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.Schema;
import io.orestes.schema.type.BasicType;
import io.orestes.schema.type.BasicValueDecoder;
import io.orestes.schema.type.ClassFieldType;
import io.orestes.schema.type.FieldType;
import io.orestes.schema.type.NamingRules;
import io.orestes.schema.type.TypeKind;
import io.orestes.schema.type.TypeParser;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The type of a parameter of a prepared query: a basic type, a reference or a list of these. It is
 * never an object from the caller, which could contain operators.
 */
final class ParameterType {

    private static final int MAX_ELEMENTS = 1_000;

    private final FieldType type;

    private ParameterType(FieldType type) {
        this.type = type;
    }

    /**
     * Returns the type with that ref, e.g. {@code /db/Integer}; fails with {@code BAD_REQUEST} if
     * there is no such type.
     */
    static ParameterType parse(String ref, Schema schema) {
        return new TypeParser(
                        name -> schema.find(name).filter(ClassSchema::embedded).isPresent())
                .parse(ref)
                .filter(ParameterType::isPlain)
                .map(ParameterType::new)
                .orElseThrow(() -> new ApiException(
                        ErrorCode.BAD_REQUEST, "Not a type that a parameter can have: " + NamingRules.shorten(ref)));
    }

    private static boolean isPlain(FieldType type) {
        return switch (type.kind()) {
            case BASIC -> type != BasicType.JSON_ARRAY && type != BasicType.JSON_OBJECT;
            case REFERENCE -> true;
            case LIST, SET -> isPlain(type.elementType());
            case EMBEDDED, MAP -> false;
        };
    }

    /** Parses a value from a URL, as a query would spell it; empty if it is not of the type. */
    Optional<BsonValue> read(String text) {
        return isText(type) ? value(type, new BsonString(text)) : json(text).flatMap(json -> value(type, json));
    }

    /** Returns the classes that values refer to. */
    Stream<ClassFieldType> classTypes() {
        return type.classTypes();
    }

    /** Returns some value of the type. */
    BsonValue sample() {
        return sample(type);
    }

    /** Returns whether a URL spells values of the type without quotation marks. */
    private static boolean isText(FieldType type) {
        return type.kind() == TypeKind.REFERENCE
                || type.basicType().filter(ParameterType::isText).isPresent();
    }

    private static boolean isText(BasicType type) {
        return switch (type) {
            case STRING, DATE_TIME, DATE, TIME, FILE -> true;
            case BOOLEAN, DOUBLE, INTEGER, GEO_POINT, JSON_ARRAY, JSON_OBJECT -> false;
        };
    }

    private static Optional<BsonValue> json(String text) {
        try {
            return Optional.of(JsonReader.read(text));
        } catch (ApiException malformed) {
            return Optional.empty();
        }
    }

    private static Optional<BsonValue> value(FieldType type, BsonValue json) {
        return type.kind().isCollection()
                ? Optional.of(json)
                        .filter(BsonValue::isArray)
                        .filter(array -> array.asArray().size() <= MAX_ELEMENTS)
                        .flatMap(array -> elements(type.elementType(), array.asArray()))
                : type.basicType().flatMap(basic -> basic(basic, json)).or(() -> reference(type, json));
    }

    private static Optional<BsonValue> reference(FieldType type, BsonValue json) {
        return type.referencedClass()
                .flatMap(bucket -> Optional.of(json).filter(BsonValue::isString).filter(id -> isIn(bucket, id)));
    }

    private static boolean isIn(String bucket, BsonValue id) {
        return ObjectRef.parse(id.asString().getValue())
                .filter(ref -> ref.bucket().equals(bucket))
                .isPresent();
    }

    private static Optional<BsonValue> elements(FieldType element, BsonArray array) {
        BsonArray values = new BsonArray(
                array.stream().flatMap(json -> value(element, json).stream()).collect(Collectors.toList()));
        return Optional.<BsonValue>of(values).filter(all -> values.size() == array.size());
    }

    private static Optional<BsonValue> basic(BasicType type, BsonValue json) {
        return switch (type) {
            case BOOLEAN -> Optional.of(json).filter(BsonValue::isBoolean);
            case INTEGER -> Optional.of(json).filter(BsonValue::isInt64);
            case DOUBLE -> Optional.of(json).filter(BsonValue::isNumber);
            case STRING -> Optional.of(json).filter(BsonValue::isString);
            case DATE_TIME, DATE -> dated(json, WireDates::parseDateTime);
            case TIME, FILE, GEO_POINT ->
                Optional.of(json)
                        .filter(value -> BasicValueDecoder.decode(type, value).isPresent());
            case JSON_ARRAY, JSON_OBJECT -> Optional.empty();
        };
    }

    private static Optional<BsonValue> dated(BsonValue json, Function<String, Optional<Long>> reader) {
        return Optional.of(json)
                .filter(BsonValue::isString)
                .filter(iso -> reader.apply(iso.asString().getValue()).isPresent())
                .map(iso -> new BsonDocument("$date", iso));
    }

    private static BsonValue sample(FieldType type) {
        return type.kind().isCollection()
                ? new BsonArray(List.of(sample(type.elementType())))
                : type.basicType().map(ParameterType::sample).orElseGet(() -> new BsonString(type.ref() + "/a"));
    }

    private static BsonValue sample(BasicType type) {
        return switch (type) {
            case BOOLEAN -> BsonBoolean.TRUE;
            case INTEGER, DOUBLE -> new BsonInt64(1);
            case DATE_TIME, DATE -> new BsonDocument("$date", new BsonString("2000-01-01"));
            case TIME -> new BsonString("00:00:00Z");
            case FILE -> new BsonString("/file/www/a");
            case GEO_POINT -> new BsonDocument("latitude", new BsonDouble(0)).append("longitude", new BsonDouble(0));
            case STRING, JSON_ARRAY, JSON_OBJECT -> new BsonString("a");
        };
    }
}
