package io.orestes.schema.model;

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
public final class BuiltInClasses {

    public static final Map<String, ClassSchema> ALL = load();

    private BuiltInClasses() {}

    /**
     * Returns whether the class is built in; such a class can neither be removed nor lose its
     * fields.
     */
    public static boolean contains(String name) {
        return ALL.containsKey(name);
    }

    /** Returns whether the server itself needs that field of the class. */
    public static boolean contains(String name, String field) {
        ClassSchema builtIn = ALL.get(name);
        return builtIn != null && builtIn.ownField(field).isPresent();
    }

    /**
     * Returns a class that replaces a built-in one, with the required definitions of the fields
     * that the server needs.
     */
    public static ClassSchema completed(ClassSchema wanted) {
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
