package io.orestes.schema.change;

import io.orestes.model.StoredObject;
import io.orestes.schema.model.BuiltInClasses;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.FieldSchema;
import io.orestes.schema.model.Schema;
import io.orestes.schema.model.SchemaRules;
import io.orestes.schema.type.FieldType;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The deterministic resolution of contradictory class declarations that servers made concurrently.
 * It depends on the declarations alone, so that all servers come to the same result. Single use.
 *
 * <ul>
 * <li>A super class that does not exist, is embedded, or leads back or too far, is {@code Object}
 *     instead.
 * <li>A field that a super class declares, too, is that of the super class.
 * <li>A field whose type is invalid, because a class is missing or no longer embedded, is omitted.
 * </ul>
 */
final class SchemaConflictResolution {

    private final NavigableMap<String, ClassSchema> declared;
    private final Set<String> embedded;
    private final Map<String, Optional<String>> parents = new HashMap<>();
    private final Map<String, ClassSchema> resolved = new HashMap<>();

    SchemaConflictResolution(NavigableMap<String, ClassSchema> declared) {
        this.declared = declared;
        this.embedded = declared.values().stream()
                .filter(ClassSchema::embedded)
                .map(ClassSchema::name)
                .collect(Collectors.toSet());
        declared.values().forEach(type -> parents.put(type.name(), parent(type)));
    }

    /** Returns the schema: built-in classes first, then the others by name. */
    Schema schema() {
        Map<String, ClassSchema> ordered = new LinkedHashMap<>();
        Collection<String> builtIn = BuiltInClasses.ALL.keySet();
        builtIn.forEach(name -> ordered.put(name, resolve(name)));
        declared.keySet().forEach(name -> ordered.put(name, resolve(name)));
        return Schema.of(ordered.values());
    }

    private Optional<String> parent(ClassSchema type) {
        if (type.embedded() || type.name().equals(ClassSchema.ROOT)) {
            return Optional.empty();
        }
        return type.superClass()
                .filter(this::isParent)
                .filter(name -> isEnding(type.name()))
                .or(() -> Optional.of(ClassSchema.ROOT));
    }

    private boolean isParent(String name) {
        return declared.containsKey(name) && !embedded.contains(name);
    }

    /** Returns whether the chain of declared super classes ends within the limit. */
    private boolean isEnding(String name) {
        Optional<String> current = Optional.of(name);
        for (int distance = 0; distance < SchemaRules.MAX_ANCESTORS - 1 && current.isPresent(); distance++) {
            current =
                    current.map(declared::get).flatMap(ClassSchema::superClass).filter(this::isParent);
        }
        return current.isEmpty();
    }

    private ClassSchema resolve(String name) {
        ClassSchema known = resolved.get(name);
        if (known == null) {
            known = resolve(Optional.ofNullable(declared.get(name))
                    .or(() -> Optional.ofNullable(BuiltInClasses.ALL.get(name)))
                    .orElseThrow());
            resolved.put(name, known);
        }
        return known;
    }

    private ClassSchema resolve(ClassSchema type) {
        Optional<String> parent = parents.getOrDefault(type.name(), type.superClass());
        Set<String> taken = parent.map(this::inherited).orElse(type.embedded() ? StoredObject.METADATA : Set.of());
        List<FieldSchema> fields = type.fields().stream()
                .filter(field -> !taken.contains(field.name()))
                .flatMap(field -> resolve(field).stream())
                .toList();
        return new ClassSchema(
                type.name(),
                parent.orElse(null),
                type.embedded(),
                fields,
                type.permissions(),
                type.metadata(),
                type.validationScript());
    }

    /** Returns the names of the fields that objects of the class have. */
    private Set<String> inherited(String name) {
        ClassSchema type = resolve(name);
        Set<String> names = new HashSet<>();
        type.fields().forEach(field -> names.add(field.name()));
        type.superClass().map(this::inherited).ifPresent(names::addAll);
        return names;
    }

    private Optional<FieldSchema> resolve(FieldSchema field) {
        return FieldType.parse(field.type().ref(), embedded::contains)
                .filter(type -> type.classTypes().allMatch(part -> declared.containsKey(part.bucket())))
                .map(type -> new FieldSchema(field.name(), type, field.order(), field.flags(), field.metadata()));
    }
}
