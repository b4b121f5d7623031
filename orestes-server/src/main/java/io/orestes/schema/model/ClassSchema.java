package io.orestes.schema.model;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Permission;
import io.orestes.model.Principal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The declaration of one class: super class, fields, permissions and validation code.
 *
 * @param name e.g. {@code Person} or {@code logs.AppLog}
 * @param superClassName name of the class it extends; {@code null} for {@code Object} and embedded
 *     classes only
 * @param embedded true if its objects are parts of others and have no id
 * @param fields its own fields, inherited ones excluded, in order
 * @param permissions permission of each operation; omitted operations are public
 * @param metadata the application's metadata
 * @param validationScript body of the function that checks objects, in JavaScript; {@code null} if
 *     there is none
 */
public record ClassSchema(
        String name,
        @Nullable String superClassName,
        boolean embedded,
        List<FieldSchema> fields,
        Map<ClassOperation, Permission> permissions,
        Map<String, String> metadata,
        @Nullable String validationScript) {

    /** The class that all others with identity extend. */
    public static final String ROOT = "Object";

    public ClassSchema {
        fields = fields.stream()
                .sorted(Comparator.comparingInt(FieldSchema::order))
                .toList();
        permissions = Map.copyOf(permissions);
        metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    }

    /** Returns the name of the class it extends; empty for {@code Object} and embedded classes. */
    public Optional<String> superClass() {
        return Optional.ofNullable(superClassName);
    }

    /** Returns the body of the function that checks objects. */
    public Optional<String> validationCode() {
        return Optional.ofNullable(validationScript);
    }

    /** Returns the ref of the class for clients. */
    public String ref() {
        return "/db/" + name;
    }

    /** Returns the permission of an operation on the class or its objects. */
    public Permission permission(ClassOperation operation) {
        return permissions.getOrDefault(operation, Permission.PUBLIC);
    }

    /**
     * Fails with {@code PERMISSION_DENIED}, naming the missing permission, unless {@code principal}
     * has it.
     */
    public void require(ClassOperation operation, Principal principal) {
        if (!permission(operation).permits(principal)) {
            throw new ApiException(
                    ErrorCode.PERMISSION_DENIED, operation.key() + " permissions are required on " + ref());
        }
    }

    /** Returns its own field of that name. */
    public Optional<FieldSchema> ownField(String fieldName) {
        return fields.stream().filter(field -> field.name().equals(fieldName)).findFirst();
    }

    /**
     * Returns the class with one more field; one whose order is {@link ClassDescriptorCodec#APPEND}
     * becomes the last.
     */
    public ClassSchema withField(FieldSchema field) {
        List<FieldSchema> extended = new ArrayList<>(fields);
        extended.add(field.order() == ClassDescriptorCodec.APPEND ? field.withOrder(nextOrder()) : field);
        return withFields(extended);
    }

    private int nextOrder() {
        return fields.isEmpty()
                ? 0
                : Math.min(fields.get(fields.size() - 1).order() + 1, ClassDescriptorCodec.MAX_ORDER);
    }

    /** Returns the class without its own field of that name. */
    public ClassSchema without(String fieldName) {
        return withFields(
                fields.stream().filter(field -> !field.name().equals(fieldName)).toList());
    }

    public ClassSchema withFields(List<FieldSchema> newFields) {
        return new ClassSchema(name, superClassName, embedded, newFields, permissions, metadata, validationScript);
    }

    public ClassSchema withPermissions(Map<ClassOperation, Permission> newPermissions) {
        return new ClassSchema(name, superClassName, embedded, fields, newPermissions, metadata, validationScript);
    }
}
