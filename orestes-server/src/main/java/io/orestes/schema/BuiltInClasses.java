package io.orestes.schema;

import io.orestes.json.JsonReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.bson.BsonValue;

/** The classes that every server has (protocol §7.2), from {@code schema/classes.json}. */
final class BuiltInClasses {

    static final Map<String, ClassSchema> ALL = load();

    private BuiltInClasses() {}

    /** Whether the class can be neither removed nor stripped of its fields. */
    static boolean contains(String name) {
        return ALL.containsKey(name);
    }

    /** Whether the server itself needs that field of the class. */
    static boolean contains(String name, String field) {
        ClassSchema builtIn = ALL.get(name);
        return builtIn != null && builtIn.ownField(field).isPresent();
    }

    /**
     * A class that takes the place of a known one, with the fields that the server itself needs as
     * they have to be.
     */
    static ClassSchema completed(ClassSchema wanted) {
        ClassSchema result = wanted;
        ClassSchema builtIn = ALL.get(wanted.name());
        for (FieldSchema field : builtIn == null ? List.<FieldSchema>of() : builtIn.fields()) {
            Optional<FieldSchema> given = result.ownField(field.name());
            if (given.filter(other -> !other.type().equals(field.type())).isPresent()) {
                throw SchemaRules.incompatible("Fields of built-in classes cannot be changed: " + field.name());
            }
            result = result.without(field.name()).withField(field);
        }
        return result;
    }

    private static Map<String, ClassSchema> load() {
        Map<String, ClassSchema> classes = new LinkedHashMap<>();
        for (BsonValue descriptor : JsonReader.read(resource()).asArray()) {
            ClassSchema schema = ClassDescriptorCodec.parse(descriptor.asDocument(), name -> false);
            classes.put(schema.name(), schema);
        }
        return classes;
    }

    private static byte[] resource() {
        try (InputStream in = BuiltInClasses.class.getResourceAsStream("/orestes-schema/classes.json")) {
            return Objects.requireNonNull(in, "classes.json is not on the class path")
                    .readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
