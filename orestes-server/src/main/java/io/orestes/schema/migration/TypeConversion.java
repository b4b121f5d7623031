package io.orestes.schema.migration;

import io.orestes.json.JsonReader;
import io.orestes.json.JsonWriter;
import io.orestes.model.ApiException;
import io.orestes.schema.codec.MapKeys;
import io.orestes.schema.codec.ValueDecoder;
import io.orestes.schema.codec.ValueEncoder;
import io.orestes.schema.model.Schema;
import io.orestes.schema.type.BasicType;
import io.orestes.schema.type.ClassType;
import io.orestes.schema.type.CollectionType;
import io.orestes.schema.type.FieldType;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
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
    private final ValueEncoder encoder;
    private final ValueDecoder decoder;

    /** @param schema schema after the change */
    public TypeConversion(FieldType from, FieldType to, Schema schema) {
        this.from = from;
        this.to = to;
        this.schema = schema;
        this.encoder = new ValueEncoder(schema);
        this.decoder = new ValueDecoder(schema);
    }

    /**
     * Returns whether a conversion from one type to the other exists; single values may still not
     * fit.
     */
    public static boolean isPossible(FieldType from, FieldType to) {
        boolean hasParts = from.classTypes().anyMatch(ClassType.Embedded.class::isInstance);
        boolean isManyBefore = from instanceof CollectionType;
        boolean isManyAfter = to instanceof CollectionType;
        return !hasParts && (isManyBefore == isManyAfter ? isMap(from) == isMap(to) : from.storedAs() == to.storedAs());
    }

    private static boolean isMap(FieldType type) {
        return type instanceof CollectionType.MapOf;
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
        return isWidening() && keeps(element(from), element(to));
    }

    private static FieldType element(FieldType type) {
        return type instanceof CollectionType many ? many.element() : type;
    }

    private boolean keeps(FieldType one, FieldType other) {
        return one.equals(other) || isAncestor(one, other);
    }

    /** Returns the converted value; idempotent. */
    BsonValue convert(BsonValue stored) {
        if (from instanceof CollectionType.MapOf few
                && to instanceof CollectionType.MapOf many
                && stored.isDocument()) {
            return map(few, many, stored.asDocument());
        }
        return from instanceof CollectionType few && to instanceof CollectionType many && stored.isArray()
                ? array(few, many, stored.asArray())
                : single(from, to, stored);
    }

    /** Returns whether an unconverted value, and all in it, fits. */
    boolean fits(BsonValue stored) {
        return isWidening() || !from.isOf(stored) || isExact(stored);
    }

    private boolean widens(FieldType one, FieldType other) {
        if (one instanceof CollectionType few && other instanceof CollectionType many) {
            boolean isKind = few.getClass() == many.getClass()
                    || (few instanceof CollectionType.SetOf && many instanceof CollectionType.ListOf);
            return isKind && keysWiden(few, many) && widens(few.element(), many.element());
        }
        return one.equals(other)
                || (one == BasicType.INTEGER && other == BasicType.DOUBLE)
                || (one == BasicType.DATE && other == BasicType.DATE_TIME)
                || isAncestor(one, other);
    }

    private boolean keysWiden(CollectionType one, CollectionType other) {
        return !(one instanceof CollectionType.MapOf few && other instanceof CollectionType.MapOf many)
                || few.key().equals(many.key())
                || isAncestor(few.key(), many.key());
    }

    private boolean isAncestor(FieldType one, FieldType other) {
        return one instanceof ClassType.Reference derived
                && other instanceof ClassType.Reference base
                && schema.isA(derived.bucket(), base.bucket());
    }

    private boolean isExact(BsonValue stored) {
        if (from instanceof CollectionType.MapOf few && to instanceof CollectionType.MapOf many) {
            return convert(stored)
                            .asDocument()
                            .keySet()
                            .equals(stored.asDocument().keySet())
                    && stored.asDocument().values().stream()
                            .allMatch(each -> isExact(few.element(), many.element(), each));
        }
        if (from instanceof CollectionType few && to instanceof CollectionType many) {
            return convert(stored).asArray().size() == stored.asArray().size()
                    && stored.asArray().stream().allMatch(each -> isExact(few.element(), many.element(), each));
        }
        return isExact(from, to, stored);
    }

    private boolean isExact(FieldType one, FieldType other, BsonValue value) {
        return value.isNull()
                || widens(one, other)
                || (value.getBsonType() != one.storedAs() && value.getBsonType() == other.storedAs())
                || decoded(one, wire(other, single(one, other, value))).equals(value);
    }

    private BsonDocument map(CollectionType.MapOf few, CollectionType.MapOf many, BsonDocument entries) {
        BsonDocument converted = new BsonDocument();
        entries.forEach((key, value) -> {
            BsonValue now = single(few.element(), many.element(), value);
            key(many, key).filter(known -> !now.isNull()).ifPresent(known -> converted.append(known, now));
        });
        return converted;
    }

    private BsonArray array(CollectionType few, CollectionType many, BsonArray elements) {
        List<BsonValue> converted = elements.stream()
                .map(each -> single(few.element(), many.element(), each))
                .toList();
        return many instanceof CollectionType.SetOf
                ? new BsonArray(List.copyOf(new LinkedHashSet<>(converted)))
                : new BsonArray(converted);
    }

    private Optional<String> key(CollectionType.MapOf type, String key) {
        return type.key() instanceof BasicType basic
                ? MapKeys.canonical(basic, key)
                : Optional.of(decoded(type.key(), new BsonString(key)))
                        .filter(BsonValue::isString)
                        .map(id -> id.asString().getValue());
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
