package io.orestes.schema;

import java.util.Arrays;
import java.util.Optional;

/** The operations that the permissions of a class govern (protocol §6.2). */
public enum ClassOperation {
    LOAD("load"),
    INSERT("insert"),
    UPDATE("update"),
    DELETE("delete"),
    QUERY("query"),
    SCHEMA_ADD("schemaAdd"),
    SCHEMA_REPLACE("schemaReplace"),
    SCHEMA_SUBCLASS("schemaSubclass");

    private final String key;

    ClassOperation(String key) {
        this.key = key;
    }

    /** The operation that descriptors name so. */
    static Optional<ClassOperation> named(String key) {
        return Arrays.stream(values())
                .filter(operation -> operation.key.equals(key))
                .findFirst();
    }

    /** Member of a descriptor's {@code acl}, also used in messages. */
    public String key() {
        return key;
    }

    /**
     * Whether it is about the class itself; such permissions are the admins' unless a class says
     * otherwise.
     */
    public boolean isSchemaChange() {
        return compareTo(SCHEMA_ADD) >= 0;
    }

    /**
     * Whether embedded classes, which have no objects of their own and no subclasses, know it too.
     */
    public boolean appliesToEmbedded() {
        return this == SCHEMA_ADD || this == SCHEMA_REPLACE;
    }
}
