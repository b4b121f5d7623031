package io.orestes.schema.codec;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.StoredObject;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.FieldSchema;
import io.orestes.schema.model.Schema;
import io.orestes.schema.type.FieldType;
import io.orestes.schema.type.NamingRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonValue;

/**
 * The resolver of dotted paths in objects of one class to the types found there. The paths of
 * clients become those of stored documents by {@link #storedPath}.
 */
public final class FieldPathResolver {

    private final Schema schema;
    private final ClassSchema type;

    public FieldPathResolver(Schema schema, ClassSchema type) {
        this.schema = schema;
        this.type = type;
    }

    /**
     * Returns the type of the single values at the path: of a list or set, that of its elements.
     * Empty outside of the schema.
     */
    public Optional<FieldType> typeOf(String path) {
        List<FieldType> met = along(path);
        return met.isEmpty() ? Optional.empty() : Optional.of(single(met.get(met.size() - 1)));
    }

    /** Returns whether an object has one list or set at the path. */
    public boolean isOneList(String path) {
        List<FieldType> met = along(path);
        return !met.isEmpty()
                && met.get(met.size() - 1).kind().isArray()
                && met.subList(0, met.size() - 1).stream()
                        .noneMatch(each -> each.kind().isArray());
    }

    /** Returns the types of all segments; none outside of the schema. */
    private List<FieldType> along(String path) {
        List<FieldType> met = new ArrayList<>();
        for (String segment : path.split("\\.", 64)) {
            Optional<FieldType> found = met.isEmpty()
                    ? schema.field(type, segment).map(FieldSchema::type)
                    : inside(met.get(met.size() - 1), segment);
            if (found.isEmpty()) {
                return List.of();
            }
            met.add(found.get());
        }
        return met;
    }

    /**
     * Returns the stored form of a literal at its path; empty if it is no value of the type there.
     */
    public Optional<BsonValue> stored(FieldType literalType, BsonValue literal, String path) {
        try {
            return Optional.of(new ValueDecoder(schema).decode(literalType, literal, path));
        } catch (ApiException misfit) {
            return Optional.empty();
        }
    }

    private Optional<FieldType> inside(FieldType container, String segment) {
        return container.isElementStep(segment)
                ? Optional.of(container.elementType())
                : container
                        .elementType()
                        .embeddedClass()
                        .flatMap(bucket -> schema.field(schema.get(bucket), segment))
                        .map(FieldSchema::type);
    }

    /**
     * Returns the path in stored documents for a path of a client: {@code id} becomes {@code _id}.
     * Fails with {@code SYNTAX_ERROR} if the path begins with an underscore, since it would name an
     * internal field.
     */
    public static String storedPath(String path) {
        if (path.startsWith("_")) {
            throw new ApiException(
                    ErrorCode.SYNTAX_ERROR, "Not a field that can be queried: " + NamingRules.shorten(path));
        }
        return path.equals("id") ? StoredObject.ID : path;
    }

    private static FieldType single(FieldType type) {
        return type.kind().isArray() ? type.elementType() : type;
    }
}
