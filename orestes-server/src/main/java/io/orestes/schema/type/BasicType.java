package io.orestes.schema.type;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.bson.BsonType;
import org.bson.BsonValue;

/**
 * The basic types of fields, which are not composed of others. Their wire forms are those of
 * protocol §1.5.
 */
public enum BasicType implements FieldType {
    BOOLEAN("Boolean", BsonType.BOOLEAN),
    DOUBLE("Double", BsonType.DOUBLE),
    INTEGER("Integer", BsonType.INT64),
    STRING("String", BsonType.STRING),
    /** An instant in milliseconds. */
    DATE_TIME("DateTime", BsonType.DATE_TIME),
    /** A day, stored as its wire form, whose order as text is that of days. */
    DATE("Date", BsonType.STRING),
    /**
     * A time of day, stored as {@code 05:06:07.080Z} with all three digits, so that its order as
     * text is that of times.
     */
    TIME("Time", BsonType.STRING),
    FILE("File", BsonType.STRING),
    GEO_POINT("GeoPoint", BsonType.DOCUMENT),
    JSON_ARRAY("JsonArray", BsonType.ARRAY),
    JSON_OBJECT("JsonObject", BsonType.DOCUMENT);

    private static final Map<String, BasicType> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toMap(type -> type.typeName, Function.identity()));

    private final String typeName;
    private final BsonType storedAs;

    BasicType(String typeName, BsonType storedAs) {
        this.typeName = typeName;
        this.storedAs = storedAs;
    }

    /** Returns the type with that name, e.g. {@code DateTime}. */
    static Optional<BasicType> named(String typeName) {
        return Optional.ofNullable(BY_NAME.get(typeName));
    }

    @Override
    public String ref() {
        return "/db/" + typeName;
    }

    @Override
    public BsonType storedAs() {
        return storedAs;
    }

    @Override
    public boolean isOf(BsonValue stored) {
        return stored.getBsonType() == storedAs || (this == DOUBLE && stored.isInt64());
    }

    @Override
    public boolean isKey() {
        return compareTo(FILE) < 0;
    }

    @Override
    public TypeKind kind() {
        return TypeKind.BASIC;
    }

    @Override
    public Optional<BasicType> basicType() {
        return Optional.of(this);
    }
}
