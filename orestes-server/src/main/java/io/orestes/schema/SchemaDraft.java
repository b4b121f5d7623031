package io.orestes.schema;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Permission;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;

/**
 * The mutable set of classes of a schema that is being changed, in order. Single thread; the schema
 * it starts from stays as it is.
 */
final class SchemaDraft {

    private final Map<String, ClassSchema> classes = new LinkedHashMap<>();

    /** Of classes that are there and of those that descriptors still to be read will make. */
    private final Set<String> embedded = new HashSet<>();

    SchemaDraft(Schema before) {
        before.classes().forEach(this::put);
        before.classes().stream()
                .filter(ClassSchema::embedded)
                .map(ClassSchema::name)
                .forEach(embedded::add);
    }

    Collection<ClassSchema> classes() {
        return Collections.unmodifiableCollection(classes.values());
    }

    Optional<ClassSchema> find(String name) {
        return Optional.ofNullable(classes.get(name));
    }

    /** Fails with {@code BUCKET_NOT_FOUND} if there is none. */
    ClassSchema existing(String name) {
        return find(name)
                .orElseThrow(() -> new ApiException(
                        ErrorCode.BUCKET_NOT_FOUND, "There is no class /db/" + NamingRules.shorten(name)));
    }

    /** The class that an operation is about. */
    ClassSchema named(BsonDocument operation) {
        return existing(bucket(operation));
    }

    /** Its name. */
    static String bucket(BsonDocument operation) {
        return NamingRules.classOf(JsonMembers.requiredText(operation, "bucket"));
    }

    /** In the place of one of that name. */
    void put(ClassSchema schema) {
        classes.put(schema.name(), schema);
    }

    void remove(String name) {
        classes.remove(name);
    }

    /** Drops all others but those that every schema has. */
    void retain(Set<String> names) {
        classes.keySet().removeIf(name -> !names.contains(name) && !BuiltInClasses.contains(name));
        embedded.retainAll(classes.keySet());
    }

    void replaceEach(UnaryOperator<ClassSchema> change) {
        classes.replaceAll((name, schema) -> change.apply(schema));
    }

    /**
     * Has fields of all descriptors know which classes are embedded; to be called before one of
     * them is parsed.
     */
    void announce(BsonDocument item) {
        if (item.containsKey("class") && isNewEmbedded(item)) {
            embedded.add(ClassDescriptorCodec.className(item));
        }
    }

    private boolean isNewEmbedded(BsonDocument descriptor) {
        return !classes.containsKey(ClassDescriptorCodec.className(descriptor))
                && ClassDescriptorCodec.isEmbedded(descriptor);
    }

    ClassSchema parse(BsonDocument descriptor) {
        ClassSchema wanted = ClassDescriptorCodec.parse(descriptor, embedded::contains);
        wanted.permissions().values().forEach(Permission::requireIds);
        return wanted;
    }

    FieldSchema parseField(BsonDocument descriptor) {
        return ClassDescriptorCodec.parseField(descriptor, embedded::contains);
    }
}
