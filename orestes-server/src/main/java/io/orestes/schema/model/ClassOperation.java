package io.orestes.schema.model;

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

    /** Returns the operation of that name in descriptors. */
    static Optional<ClassOperation> named(String key) {
        return Arrays.stream(values())
                .filter(operation -> operation.key.equals(key))
                .findFirst();
    }

    /** Returns the member of a descriptor's {@code acl}, also used in messages. */
    public String key() {
        return key;
    }

    /**
     * Returns whether the operation changes the class itself; such permissions are the admins' by
     * default.
     */
    public boolean isSchemaChange() {
        return compareTo(SCHEMA_ADD) >= 0;
    }

    /**
     * Returns whether embedded classes, which have no objects of their own and no subclasses, have
     * the operation too.
     */
    public boolean appliesToEmbedded() {
        return this == SCHEMA_ADD || this == SCHEMA_REPLACE;
    }
}
