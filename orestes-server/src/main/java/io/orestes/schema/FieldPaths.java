package io.orestes.schema;

import io.orestes.model.ApiException;
import java.util.Optional;
import org.bson.BsonValue;

/** What stands at the end of dotted paths into objects of one class. */
final class FieldPaths {

    private final Schema schema;
    private final ClassSchema type;

    FieldPaths(Schema schema, ClassSchema type) {
        this.schema = schema;
        this.type = type;
    }

    /** Type of the single values there: of a list or set, that of its elements. Empty where the schema does not reach. */
    Optional<FieldType> typeOf(String path) {
        Optional<FieldType> found = Optional.empty();
        for (String segment : path.split("\\.", 64)) {
            found = found.isPresent()
                    ? inside(found.get(), segment)
                    : schema.field(type, segment).map(FieldSchema::type);
            if (found.isEmpty()) {
                return found;
            }
        }
        return found.map(FieldPaths::single);
    }

    /** A literal as a value of the type at its path is stored; empty if it is no such value. */
    Optional<BsonValue> stored(FieldType literalType, BsonValue literal, String path) {
        try {
            return Optional.of(new ValueDecoder(schema).decode(literalType, literal, path));
        } catch (ApiException misfit) {
            return Optional.empty();
        }
    }

    private Optional<FieldType> inside(FieldType container, String segment) {
        if (container instanceof CollectionType.MapOf map) {
            return Optional.of(map.element());
        }
        if (container instanceof CollectionType many && isIndex(segment)) {
            return Optional.of(many.element());
        }
        return single(container) instanceof ClassType.Embedded embedded
                ? schema.field(schema.get(embedded.bucket()), segment).map(FieldSchema::type)
                : Optional.empty();
    }

    private static FieldType single(FieldType type) {
        return type instanceof CollectionType many && !(type instanceof CollectionType.MapOf) ? many.element() : type;
    }

    static boolean isIndex(String segment) {
        return !segment.isEmpty() && segment.chars().allMatch(unit -> unit >= '0' && unit <= '9');
    }
}
