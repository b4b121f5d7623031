package io.orestes.schema;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonDocument;

/** A stored schema as an earlier version of the server may have left it. */
final class StoredSchema {

    private StoredSchema() {}

    /** The stored classes, completed by built-in classes and fields that were not known when they were stored. */
    static Schema read(BsonArray descriptors) {
        Set<String> embedded = descriptors.stream()
                .map(value -> value.asDocument())
                .filter(Descriptors::isEmbedded)
                .map(Descriptors::className)
                .collect(Collectors.toSet());
        Map<String, ClassSchema> classes = new LinkedHashMap<>(BuiltInClasses.ALL);
        descriptors.stream()
                .map(value -> Descriptors.parse((BsonDocument) value, embedded::contains))
                .forEach(schema -> classes.put(schema.name(), completed(schema)));
        return Schema.of(classes.values());
    }

    private static ClassSchema completed(ClassSchema stored) {
        ClassSchema result = stored;
        ClassSchema builtIn = BuiltInClasses.ALL.get(stored.name());
        if (builtIn != null) {
            for (FieldSchema field : builtIn.fields()) {
                result = result.ownField(field.name()).isPresent() ? result : result.withField(field);
            }
        }
        return result;
    }
}
