package io.orestes.schema.model;

import io.orestes.schema.type.FieldType;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The declaration of one field of a class: name, type, order, flags and metadata.
 *
 * @param name member name in objects
 * @param type type of its values
 * @param order position among the class's own fields; not necessarily unique
 * @param flags marks for clients, such as {@code METADATA} or {@code READONLY}
 * @param metadata the application's metadata
 */
public record FieldSchema(String name, FieldType type, int order, List<String> flags, Map<String, String> metadata) {

    public FieldSchema {
        flags = List.copyOf(flags);
        metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    }

    public FieldSchema withName(String newName) {
        return new FieldSchema(newName, type, order, flags, metadata);
    }

    FieldSchema withOrder(int newOrder) {
        return new FieldSchema(name, type, newOrder, flags, metadata);
    }
}
