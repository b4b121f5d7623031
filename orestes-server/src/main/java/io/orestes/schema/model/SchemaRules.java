package io.orestes.schema.model;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.schema.type.ClassFieldType;
import io.orestes.schema.type.FieldType;
import io.orestes.schema.type.NamingRules;
import io.orestes.schema.type.TypeKind;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The consistency rules that a set of classes satisfies to be a schema. */
public final class SchemaRules {

    public static final int MAX_CLASSES = 10_000;

    /** Maximum number of classes from a class to {@code Object}, both included. */
    public static final int MAX_ANCESTORS = 32;

    private final Map<String, ClassSchema> classes;

    private SchemaRules(Map<String, ClassSchema> classes) {
        this.classes = classes;
    }

    /** Fails with {@code SCHEMA_NOT_COMPATIBLE} at the first contradiction. */
    static void require(Map<String, ClassSchema> classes) {
        if (classes.size() > MAX_CLASSES) {
            throw incompatible("A schema has at most " + MAX_CLASSES + " classes");
        }
        SchemaRules rules = new SchemaRules(classes);
        classes.values().forEach(rules::require);
    }

    private void require(ClassSchema schema) {
        if (schema.fields().size() > ClassDescriptorCodec.MAX_FIELDS) {
            throw incompatible(schema.ref() + " has more than " + ClassDescriptorCodec.MAX_FIELDS + " fields");
        }
        schema.fields().forEach(field -> requireTypes(schema, field));
        requireAncestors(schema);
    }

    private void requireTypes(ClassSchema schema, FieldSchema field) {
        field.type().classTypes().filter(type -> !isKnown(type)).findFirst().ifPresent(type -> {
            throw incompatible("Unknown type of the field " + field.name() + " of " + schema.ref() + ": " + type.ref());
        });
        if (schema.embedded() && NamingRules.isMetadata(field.name())) {
            throw incompatible("Embedded classes have no field " + field.name() + ": " + schema.ref());
        }
        requireConstraints(field);
    }

    private static void requireConstraints(FieldSchema field) {
        boolean isConstrained = !FieldConstraints.of(field).isEmpty();
        if (isConstrained && NamingRules.isMetadata(field.name())) {
            throw incompatible("The server sets " + field.name() + " itself; it cannot be constrained");
        }
    }

    private boolean isKnown(ClassFieldType type) {
        ClassSchema named = classes.get(type.bucket());
        return named != null && named.embedded() == (type.kind() == TypeKind.EMBEDDED);
    }

    /**
     * Fails unless the super classes exist, form no cycle, and declare no field of the class with
     * another type.
     */
    private void requireAncestors(ClassSchema schema) {
        Map<String, FieldType> types = new HashMap<>();
        Optional<ClassSchema> current = Optional.of(schema);
        for (int distance = 0; current.isPresent(); distance++) {
            if (distance == MAX_ANCESTORS) {
                throw incompatible(schema.ref() + " extends itself or too many classes");
            }
            current.get().fields().forEach(field -> requireSameType(schema, field, types));
            current = parent(current.get());
        }
    }

    private static void requireSameType(ClassSchema schema, FieldSchema field, Map<String, FieldType> types) {
        FieldType other = types.putIfAbsent(field.name(), field.type());
        if (other != null && !other.equals(field.type())) {
            throw incompatible("The field " + field.name() + " of " + schema.ref() + " is " + other.ref() + " here and "
                    + field.type().ref() + " in a super class");
        }
    }

    private Optional<ClassSchema> parent(ClassSchema schema) {
        return schema.superClass().map(name -> {
            ClassSchema parent = classes.get(name);
            if (parent == null || parent.embedded()) {
                throw incompatible("The super class of " + schema.ref() + " does not exist: /db/" + name);
            }
            return parent;
        });
    }

    public static ApiException incompatible(String message) {
        return new ApiException(ErrorCode.SCHEMA_NOT_COMPATIBLE, message);
    }
}
