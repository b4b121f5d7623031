package io.orestes.schema.model;

import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A fingerprint of the JSON shape of a class: its fields and types in order. It includes inherited
 * fields and the shape of every embedded class among the types. Parts of the schema that do not
 * affect the text, such as permissions, are not included. Equal shapes have equal fingerprints, on
 * every server.
 */
public final class ShapeFingerprint {

    /**
     * Version of the rendering; to be raised when the server renders objects of the same shape
     * differently.
     */
    private static final int RENDERING = 1;

    private final Schema schema;
    private final StringBuilder shape = new StringBuilder().append(RENDERING);
    private final Set<String> embedded = new HashSet<>();
    private final Queue<String> pending = new ArrayDeque<>();

    private ShapeFingerprint(Schema schema) {
        this.schema = schema;
    }

    /** Returns 64 bits of a hash over the shape in base 36, of {@code [0-9a-z]}. */
    public static String of(Schema schema, ClassSchema type) {
        ShapeFingerprint fingerprint = new ShapeFingerprint(schema);
        fingerprint.add(type);
        long hash = Hashing.sha256()
                .hashString(fingerprint.shape, StandardCharsets.UTF_8)
                .asLong();
        return Long.toUnsignedString(hash, 36);
    }

    private void add(ClassSchema type) {
        describe(type);
        while (!pending.isEmpty()) {
            String name = pending.remove();
            shape.append(' ').append(name);
            describe(schema.get(name));
        }
    }

    private void describe(ClassSchema type) {
        shape.append(schema.fields(type).stream().map(this::describe).collect(Collectors.joining(",", "{", "}")));
    }

    private String describe(FieldSchema field) {
        field.type()
                .classTypes()
                .flatMap(type -> type.embeddedClass().stream())
                .filter(embedded::add)
                .forEach(pending::add);
        return field.name() + ":" + field.type().ref();
    }
}
