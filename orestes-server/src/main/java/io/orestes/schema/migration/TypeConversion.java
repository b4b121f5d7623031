package io.orestes.schema.migration;

import io.orestes.json.JsonReader;
import io.orestes.json.JsonWriter;
import io.orestes.model.ApiException;
import io.orestes.schema.codec.ValueDecoder;
import io.orestes.schema.codec.WireValueEncoder;
import io.orestes.schema.model.Schema;
import io.orestes.schema.type.BasicType;
import io.orestes.schema.type.FieldType;
import io.orestes.schema.type.TypeKind;
import java.util.LinkedHashSet;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The conversion of stored values when a field changes its type. Each single value is converted to
 * its wire form and decoded with the new type. A value that cannot be decoded becomes {@code null}.
 * A value that does not convert back to itself does not fit, unless the new type is wider.
 * Converted values stay unchanged, and so do all whose stored form is one of the wider type, too.
 * Immutable.
 */
public final class TypeConversion {

    private final FieldType from;
    private final FieldType to;
    private final Schema schema;
    private final WireValueEncoder encoder;
    private final ValueDecoder decoder;

    /** @param schema schema after the change */
    public TypeConversion(FieldType from, FieldType to, Schema schema) {
        this.from = from;
        this.to = to;
        this.schema = schema;
        this.encoder = new WireValueEncoder(schema);
        this.decoder = new ValueDecoder(schema);
    }

    /**
     * Returns whether a conversion from one type to the other exists; single values may still not
     * fit.
     */
    public static boolean isPossible(FieldType from, FieldType to) {
        boolean hasParts = from.classTypes().anyMatch(type -> type.kind() == TypeKind.EMBEDDED);
        boolean isManyBefore = from.kind().isCollection();
        boolean isManyAfter = to.kind().isCollection();
        return !hasParts && (isManyBefore == isManyAfter ? isMap(from) == isMap(to) : from.storedAs() == to.storedAs());
    }

    private static boolean isMap(FieldType type) {
        return type.kind() == TypeKind.MAP;
    }

    /** Returns whether every value fits. */
    public boolean isWidening() {
        return widens(from, to);
    }

    /**
     * Returns whether stored values have an equal form in the new type.
     *
     * @param isPart true if they are in embedded objects, which are compared as a whole, where 7
     *     and 7.0 differ
     */
    boolean isIdentity(boolean isPart) {
        if (from == BasicType.INTEGER && to == BasicType.DOUBLE) {
            return !isPart;
        }
        return isWidening() && keeps(from.elementType(), to.elementType());
    }

    private boolean keeps(FieldType one, FieldType other) {
        return one.equals(other) || isAncestor(one, other);
    }

    /** Returns the converted value; idempotent. */
    BsonValue convert(BsonValue stored) {
        if (isMapToMap() && stored.isDocument()) {
            return map(stored.asDocument());
        }
        return isCollectionToCollection() && stored.isArray() ? array(stored.asArray()) : single(from, to, stored);
    }

    private boolean isMapToMap() {
        return isMap(from) && isMap(to);
    }

    private boolean isCollectionToCollection() {
        return from.kind().isCollection() && to.kind().isCollection();
    }

    /** Returns whether an unconverted value, and all in it, fits. */
    boolean fits(BsonValue stored) {
        return isWidening() || !from.isOf(stored) || isExact(stored);
    }

    private boolean widens(FieldType one, FieldType other) {
        if (one.kind().isCollection() && other.kind().isCollection()) {
            boolean isKind =
                    one.kind() == other.kind() || (one.kind() == TypeKind.SET && other.kind() == TypeKind.LIST);
            return isKind && keysWiden(one, other) && widens(one.elementType(), other.elementType());
        }
        return one.equals(other)
                || (one == BasicType.INTEGER && other == BasicType.DOUBLE)
                || (one == BasicType.DATE && other == BasicType.DATE_TIME)
                || isAncestor(one, other);
    }

    private boolean keysWiden(FieldType one, FieldType other) {
        return one.keyType().equals(other.keyType())
                || one.keyType()
                        .flatMap(few -> other.keyType().filter(many -> isAncestor(few, many)))
                        .isPresent();
    }

    /** Returns whether both types are references, the second to a super class of the first. */
    private boolean isAncestor(FieldType one, FieldType other) {
        return one.referencedClass()
                .flatMap(derived -> other.referencedClass().filter(base -> schema.isA(derived, base)))
                .isPresent();
    }

    private boolean isExact(BsonValue stored) {
        if (isMapToMap()) {
            return convert(stored)
                            .asDocument()
                            .keySet()
                            .equals(stored.asDocument().keySet())
                    && stored.asDocument().values().stream().allMatch(this::isExactElement);
        }
        if (isCollectionToCollection()) {
            return convert(stored).asArray().size() == stored.asArray().size()
                    && stored.asArray().stream().allMatch(this::isExactElement);
        }
        return isExact(from, to, stored);
    }

    private boolean isExactElement(BsonValue element) {
        return isExact(from.elementType(), to.elementType(), element);
    }

    private boolean isExact(FieldType one, FieldType other, BsonValue value) {
        return value.isNull()
                || widens(one, other)
                || (value.getBsonType() != one.storedAs() && value.getBsonType() == other.storedAs())
                || decoded(one, wire(other, single(one, other, value))).equals(value);
    }

    private BsonDocument map(BsonDocument entries) {
        FieldType keyType = to.keyType().orElseThrow();
        BsonDocument converted = new BsonDocument();
        entries.forEach((key, value) -> {
            BsonValue now = single(from.elementType(), to.elementType(), value);
            decoder.canonicalKey(keyType, new BsonString(key))
                    .filter(known -> !now.isNull())
                    .ifPresent(known -> converted.append(known, now));
        });
        return converted;
    }

    private BsonArray array(BsonArray elements) {
        List<BsonValue> converted = elements.stream()
                .map(each -> single(from.elementType(), to.elementType(), each))
                .toList();
        return to.kind() == TypeKind.SET
                ? new BsonArray(List.copyOf(new LinkedHashSet<>(converted)))
                : new BsonArray(converted);
    }

    private BsonValue single(FieldType one, FieldType other, BsonValue stored) {
        if (one.equals(other) || stored.getBsonType() != one.storedAs()) {
            return stored.getBsonType() == other.storedAs() ? stored : BsonNull.VALUE;
        }
        return decoded(other, wire(one, stored));
    }

    private BsonValue wire(FieldType type, BsonValue stored) {
        return JsonReader.read(JsonWriter.print(encoder.encode(type, stored)));
    }

    private BsonValue decoded(FieldType type, BsonValue wire) {
        try {
            return decoder.decode(type, wire, "");
        } catch (ApiException misfit) {
            return BsonNull.VALUE;
        }
    }
}
