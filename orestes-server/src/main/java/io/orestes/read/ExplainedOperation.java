package io.orestes.read;

import io.orestes.schema.ClassOperation;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What somebody may want to do, with the permissions it needs (protocol §6.2). */
public enum ExplainedOperation {
    LOAD("load", ClassOperation.LOAD, ObjectRight.READ),
    QUERY("query", ClassOperation.QUERY, ObjectRight.READ),
    SUBSCRIBE("subscribe", ClassOperation.QUERY, ObjectRight.READ),
    INSERT("insert", ClassOperation.INSERT),
    UPDATE("update", ClassOperation.UPDATE, ObjectRight.WRITE),
    SAVE("save", ClassOperation.INSERT, Optional.of(ClassOperation.UPDATE), Optional.of(ObjectRight.WRITE)),
    DELETE("delete", ClassOperation.DELETE, ObjectRight.WRITE),
    SCHEMA_ADD("schemaAdd", ClassOperation.SCHEMA_ADD),
    SCHEMA_REPLACE("schemaReplace", ClassOperation.SCHEMA_REPLACE),
    SCHEMA_SUBCLASS("schemaSubclass", ClassOperation.SCHEMA_SUBCLASS);

    /** What an object's own permissions tell apart. */
    public enum ObjectRight {
        READ("read"),
        WRITE("write");

        private final String key;

        ObjectRight(String key) {
            this.key = key;
        }

        /** Member of the object's {@code acl}. */
        public String key() {
            return key;
        }
    }

    private final String key;
    private final ClassOperation onClass;
    private final Optional<ClassOperation> alsoOnClass;
    private final Optional<ObjectRight> onObject;

    ExplainedOperation(String key, ClassOperation onClass) {
        this(key, onClass, Optional.empty(), Optional.empty());
    }

    ExplainedOperation(String key, ClassOperation onClass, ObjectRight onObject) {
        this(key, onClass, Optional.empty(), Optional.of(onObject));
    }

    ExplainedOperation(
            String key, ClassOperation onClass, Optional<ClassOperation> alsoOnClass, Optional<ObjectRight> onObject) {
        this.key = key;
        this.onClass = onClass;
        this.alsoOnClass = alsoOnClass;
        this.onObject = onObject;
    }

    /** The operation of that name in requests. */
    public static Optional<ExplainedOperation> named(String key) {
        return Arrays.stream(values())
                .filter(operation -> operation.key.equals(key))
                .findFirst();
    }

    /** All names, for messages. */
    public static List<String> names() {
        return Arrays.stream(values()).map(operation -> operation.key).toList();
    }

    Stream<ClassOperation> onClass() {
        return Stream.concat(Stream.of(onClass), alsoOnClass.stream());
    }

    Optional<ObjectRight> onObject() {
        return onObject;
    }

    /** Whether it makes an object of which there is none. */
    boolean inserts() {
        return onClass == ClassOperation.INSERT;
    }
}
