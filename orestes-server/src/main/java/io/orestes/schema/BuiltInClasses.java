package io.orestes.schema;

import io.orestes.json.JsonReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.bson.BsonValue;

/** The classes that every server has (protocol §7.2), from {@code schema/classes.json}. */
final class BuiltInClasses {

    static final Map<String, ClassSchema> ALL = load();

    private BuiltInClasses() {}

    /** Whether the class can be neither removed nor stripped of its fields. */
    static boolean contains(String name) {
        return ALL.containsKey(name);
    }

    private static Map<String, ClassSchema> load() {
        Map<String, ClassSchema> classes = new LinkedHashMap<>();
        for (BsonValue descriptor : JsonReader.read(resource()).asArray()) {
            ClassSchema schema = Descriptors.parse(descriptor.asDocument(), name -> false);
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
