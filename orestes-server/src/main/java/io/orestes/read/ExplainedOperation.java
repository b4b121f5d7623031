package io.orestes.read;

import com.google.common.collect.ImmutableList;
import io.orestes.schema.ClassOperation;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What somebody may want to do, with what decides on it (protocol §3, §6.2). */
public enum ExplainedOperation {
    LOAD("load", ObjectRight.READ, ClassOperation.LOAD),

    /** The object is expanded where another one refers to it. */
    DEPTH("depth", ObjectRight.READ, ClassOperation.LOAD),
    QUERY("query", ObjectRight.READ, ClassOperation.QUERY),
    COUNT("count", ObjectRight.READ, ClassOperation.QUERY),
    AGGREGATE("aggregate", ObjectRight.READ, ClassOperation.QUERY),

    /** The result of a prepared query. */
    PREPARED("prepared", ObjectRight.READ, ClassOperation.QUERY),
    SUBSCRIBE("subscribe", ObjectRight.READ, ClassOperation.QUERY),
    INSERT("insert", ClassOperation.INSERT),
    REGISTER("register", ClassOperation.INSERT),
    UPDATE("update", ObjectRight.WRITE, ClassOperation.UPDATE),
    PARTIAL_UPDATE("partialUpdate", ObjectRight.WRITE, ClassOperation.UPDATE),

    /** A replace without condition, which inserts what is not there. */
    SAVE("save", ObjectRight.WRITE, ClassOperation.INSERT, ClassOperation.UPDATE),
    DELETE("delete", ObjectRight.WRITE, ClassOperation.DELETE),
    BULK("bulk", Audience.EACH_ALONE),
    TRANSACTION("transaction", Audience.EACH_ALONE),
    IDS("ids", Audience.ADMINS),
    EXPORT("export", Audience.ADMINS),
    IMPORT("import", Audience.ADMINS),
    TRUNCATE("truncate", Audience.ADMINS),
    INDEXES("indexes", Audience.EVERYBODY),
    CREATE_INDEX("createIndex", Audience.ADMINS),
    DROP_INDEX("dropIndex", Audience.ADMINS),

    /** Making a prepared query. */
    PREPARE("prepare", Audience.ADMINS),
    SCHEMA_READ("schemaRead", Audience.EVERYBODY),
    SCHEMA_ADD("schemaAdd", ClassOperation.SCHEMA_ADD),
    SCHEMA_REPLACE("schemaReplace", ClassOperation.SCHEMA_REPLACE),
    SCHEMA_SUBCLASS("schemaSubclass", ClassOperation.SCHEMA_SUBCLASS),

    /** The class as a whole is put in place of what is there. */
    SCHEMA_PUT("schemaPut", Audience.ADMINS),
    SCHEMA_REMOVE("schemaRemove", Audience.ADMINS);

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

    /** Whom an endpoint is for (protocol §3). */
    enum Audience {
        /** Permissions of class and object decide. */
        BY_PERMISSION,
        EVERYBODY,
        ADMINS,

        /** Everybody; it consists of operations each of which is decided on as if it were alone. */
        EACH_ALONE
    }

    private final String key;
    private final Audience audience;
    private final ImmutableList<ClassOperation> onClass;
    private final Optional<ObjectRight> onObject;

    ExplainedOperation(String key, Audience audience) {
        this(key, audience, Optional.empty());
    }

    ExplainedOperation(String key, ClassOperation onClass) {
        this(key, Audience.BY_PERMISSION, Optional.empty(), onClass);
    }

    ExplainedOperation(String key, ObjectRight onObject, ClassOperation... onClass) {
        this(key, Audience.BY_PERMISSION, Optional.of(onObject), onClass);
    }

    ExplainedOperation(String key, Audience audience, Optional<ObjectRight> onObject, ClassOperation... onClass) {
        this.key = key;
        this.audience = audience;
        this.onClass = ImmutableList.copyOf(onClass);
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

    Audience audience() {
        return audience;
    }

    /** Permissions of the class that it needs. */
    List<ClassOperation> onClass() {
        return onClass;
    }

    Optional<ObjectRight> onObject() {
        return onObject;
    }

    /** Whether classes without objects of their own have it. */
    boolean isAboutSchema() {
        return compareTo(SCHEMA_READ) >= 0;
    }
}
