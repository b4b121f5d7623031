package io.orestes.schema.edit;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Permission;
import io.orestes.schema.model.BuiltInClasses;
import io.orestes.schema.model.ClassDescriptorCodec;
import io.orestes.schema.model.ClassSchema;
import io.orestes.schema.model.FieldSchema;
import io.orestes.schema.model.JsonObjectReader;
import io.orestes.schema.model.Schema;
import io.orestes.schema.type.NamingRules;
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
 * The mutable set of classes of a schema that is being changed, in order. Single thread; the
 * original schema stays unchanged.
 */
final class SchemaDraft {

    private final Map<String, ClassSchema> classes = new LinkedHashMap<>();

    /** Names of embedded classes, in the draft and in descriptors still to be parsed. */
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

    /** Returns a class. Fails with {@code BUCKET_NOT_FOUND} if there is none. */
    ClassSchema existing(String name) {
        return find(name)
                .orElseThrow(() -> new ApiException(
                        ErrorCode.BUCKET_NOT_FOUND, "There is no class /db/" + NamingRules.shorten(name)));
    }

    /** Returns the class that an operation names. */
    ClassSchema named(BsonDocument operation) {
        return existing(bucket(operation));
    }

    /** Returns the name of the class that an operation names. */
    static String bucket(BsonDocument operation) {
        return NamingRules.classOf(JsonObjectReader.requiredText(operation, "bucket"));
    }

    /** Adds a class, or replaces the one of that name. */
    void put(ClassSchema schema) {
        classes.put(schema.name(), schema);
    }

    void remove(String name) {
        classes.remove(name);
    }

    /** Drops all other classes except for the built-in ones. */
    void retain(Set<String> names) {
        classes.keySet().removeIf(name -> !names.contains(name) && !BuiltInClasses.contains(name));
        embedded.retainAll(classes.keySet());
    }

    void replaceEach(UnaryOperator<ClassSchema> change) {
        classes.replaceAll((name, schema) -> change.apply(schema));
    }

    /**
     * Registers the embedded classes of all descriptors; to be called before one of them is parsed.
     */
    void registerEmbedded(BsonDocument item) {
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
