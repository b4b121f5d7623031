package io.orestes.schema.model;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.schema.type.NamingRules;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonArray;

/**
 * A consistent, immutable set of all classes at one moment. Every class and type that one of them
 * names exists in the set.
 */
public final class Schema {

    private final Map<String, ClassSchema> classes;
    private final Map<String, Map<String, FieldSchema>> fields = new LinkedHashMap<>();
    private final Map<String, List<FieldSchema>> dataFields = new LinkedHashMap<>();

    private Schema(Map<String, ClassSchema> classes) {
        this.classes = classes;
        classes.values().forEach(this::resolve);
    }

    /**
     * Creates a schema. Fails with {@code SCHEMA_NOT_COMPATIBLE} if the classes contradict each
     * other.
     */
    public static Schema of(Collection<ClassSchema> classes) {
        Map<String, ClassSchema> byName = new LinkedHashMap<>();
        classes.forEach(schema -> byName.put(schema.name(), schema));
        SchemaRules.require(byName);
        return new Schema(Collections.unmodifiableMap(byName));
    }

    /** Returns all classes, oldest first. */
    public Collection<ClassSchema> classes() {
        return classes.values();
    }

    /** Returns the class of that name. */
    public Optional<ClassSchema> find(String bucket) {
        return Optional.ofNullable(classes.get(bucket));
    }

    /** Returns the class of that name; fails with {@code BUCKET_NOT_FOUND}. */
    public ClassSchema get(String bucket) {
        return find(bucket).orElseThrow(() -> unknown(bucket));
    }

    /**
     * Returns the class of that name if its objects have ids; fails with {@code BUCKET_NOT_FOUND}.
     */
    public ClassSchema entity(String bucket) {
        return find(bucket).filter(schema -> !schema.embedded()).orElseThrow(() -> unknown(bucket));
    }

    /** Returns the fields of objects of the class beside metadata, inherited fields first. */
    public List<FieldSchema> fields(ClassSchema schema) {
        return dataFields.getOrDefault(schema.name(), List.of());
    }

    /** Returns a field of objects of the class, inherited and metadata fields included. */
    public Optional<FieldSchema> field(ClassSchema schema, String name) {
        return Optional.ofNullable(fields.getOrDefault(schema.name(), Map.of()).get(name));
    }

    /**
     * Returns whether objects of class {@code bucket} are objects of class {@code ancestor} too;
     * every class is its own ancestor.
     */
    public boolean isA(String bucket, String ancestor) {
        Optional<ClassSchema> current = find(bucket);
        while (current.isPresent() && !current.get().name().equals(ancestor)) {
            current = current.get().superClass().flatMap(this::find);
        }
        return current.isPresent();
    }

    /** Returns whether the class is embedded. */
    public boolean isEmbedded(String bucket) {
        return find(bucket).filter(ClassSchema::embedded).isPresent();
    }

    /** Returns these classes and all classes whose objects contain objects of them. */
    public Set<String> holders(Set<String> embedded) {
        Set<String> found = new HashSet<>(embedded);
        boolean grows = !found.isEmpty();
        while (grows) {
            grows = found.addAll(classes.values().stream()
                    .filter(type -> fields(type).stream().anyMatch(field -> embedsOneOf(found, field)))
                    .map(ClassSchema::name)
                    .collect(Collectors.toSet()));
        }
        return found;
    }

    private static boolean embedsOneOf(Set<String> classes, FieldSchema field) {
        return field.type()
                .classTypes()
                .flatMap(type -> type.embeddedClass().stream())
                .anyMatch(classes::contains);
    }

    /** Returns whether the classes are equal, in whatever order. */
    public boolean isSameAs(Schema other) {
        return classes.keySet().equals(other.classes.keySet())
                && classes.values().stream().allMatch(type -> isSame(type, other.get(type.name())));
    }

    /**
     * Returns whether two declarations are equal. Only changed classes are printed for the
     * comparison.
     */
    private static boolean isSame(ClassSchema one, ClassSchema other) {
        return one.equals(other) || ClassDescriptorCodec.print(one).equals(ClassDescriptorCodec.print(other));
    }

    /** Returns the complete schema as sent to clients. */
    public BsonArray descriptors() {
        BsonArray descriptors = new BsonArray(classes.size());
        classes.values().forEach(schema -> descriptors.add(ClassDescriptorCodec.print(schema)));
        return descriptors;
    }

    private void resolve(ClassSchema schema) {
        Map<String, FieldSchema> resolved = new LinkedHashMap<>();
        inherit(schema, resolved);
        fields.put(schema.name(), resolved);
        dataFields.put(
                schema.name(),
                resolved.values().stream()
                        .filter(field -> !NamingRules.isMetadata(field.name()))
                        .toList());
    }

    private void inherit(ClassSchema schema, Map<String, FieldSchema> into) {
        schema.superClass().flatMap(this::find).ifPresent(parent -> inherit(parent, into));
        schema.fields().forEach(field -> into.putIfAbsent(field.name(), field));
    }

    private static ApiException unknown(String bucket) {
        return new ApiException(ErrorCode.BUCKET_NOT_FOUND, "There is no class /db/" + NamingRules.shorten(bucket));
    }
}
