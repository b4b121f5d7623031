package io.orestes.read.explanation;

import com.google.common.collect.ImmutableList;
import io.orestes.schema.model.ClassOperation;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The operations of the API with the permissions that decide on each (protocol §3, §6.2). */
public enum ApiOperation {
    LOAD("load", ObjectRight.READ, ClassOperation.LOAD),

    /** Expansion of the object where another one refers to it. */
    DEPTH("depth", ObjectRight.READ, ClassOperation.LOAD),
    QUERY("query", ObjectRight.READ, ClassOperation.QUERY),
    COUNT("count", ObjectRight.READ, ClassOperation.QUERY),
    AGGREGATE("aggregate", ObjectRight.READ, ClassOperation.QUERY),

    /** Execution of a prepared query. */
    PREPARED("prepared", ObjectRight.READ, ClassOperation.QUERY),
    SUBSCRIBE("subscribe", ObjectRight.READ, ClassOperation.QUERY),
    INSERT("insert", ClassOperation.INSERT),
    REGISTER("register", ClassOperation.INSERT),
    UPDATE("update", ObjectRight.WRITE, ClassOperation.UPDATE),
    PARTIAL_UPDATE("partialUpdate", ObjectRight.WRITE, ClassOperation.UPDATE),

    /** Replace without condition, which inserts an absent object. */
    SAVE("save", ObjectRight.WRITE, ClassOperation.INSERT, ClassOperation.UPDATE),
    DELETE("delete", ObjectRight.WRITE, ClassOperation.DELETE),
    BULK("bulk", EndpointAudience.EACH_ALONE),
    TRANSACTION("transaction", EndpointAudience.EACH_ALONE),
    IDS("ids", EndpointAudience.ADMINS),
    EXPORT("export", EndpointAudience.ADMINS),
    IMPORT("import", EndpointAudience.ADMINS),
    TRUNCATE("truncate", EndpointAudience.ADMINS),
    INDEXES("indexes", EndpointAudience.EVERYBODY),
    CREATE_INDEX("createIndex", EndpointAudience.ADMINS),
    DROP_INDEX("dropIndex", EndpointAudience.ADMINS),

    /** Creation of a prepared query. */
    PREPARE("prepare", EndpointAudience.ADMINS),
    SCHEMA_READ("schemaRead", EndpointAudience.EVERYBODY),
    SCHEMA_ADD("schemaAdd", ClassOperation.SCHEMA_ADD),
    SCHEMA_REPLACE("schemaReplace", ClassOperation.SCHEMA_REPLACE),
    SCHEMA_SUBCLASS("schemaSubclass", ClassOperation.SCHEMA_SUBCLASS),

    /** Replacement of the schema of a class as a whole. */
    SCHEMA_PUT("schemaPut", EndpointAudience.ADMINS),
    SCHEMA_REMOVE("schemaRemove", EndpointAudience.ADMINS);

    /** The rights that an object's own permissions distinguish. */
    public enum ObjectRight {
        READ("read"),
        WRITE("write");

        private final String key;

        ObjectRight(String key) {
            this.key = key;
        }

        /** Returns the member of the object's {@code acl}. */
        public String key() {
            return key;
        }
    }

    /**
     * The audience of an endpoint: everybody, admins, or those whom permissions admit (protocol
     * §3).
     */
    enum EndpointAudience {
        /** Callers that the permissions of class and object admit. */
        BY_PERMISSION,
        EVERYBODY,
        ADMINS,

        /** All callers; the operation consists of others, each of which is decided on its own. */
        EACH_ALONE
    }

    private final String key;
    private final EndpointAudience endpointAudience;
    private final ImmutableList<ClassOperation> onClass;
    private final @Nullable ObjectRight onObject;

    ApiOperation(String key, EndpointAudience endpointAudience) {
        this(key, endpointAudience, null);
    }

    ApiOperation(String key, ClassOperation onClass) {
        this(key, EndpointAudience.BY_PERMISSION, null, onClass);
    }

    ApiOperation(String key, ObjectRight onObject, ClassOperation... onClass) {
        this(key, EndpointAudience.BY_PERMISSION, onObject, onClass);
    }

    ApiOperation(
            String key, EndpointAudience endpointAudience, @Nullable ObjectRight onObject, ClassOperation... onClass) {
        this.key = key;
        this.endpointAudience = endpointAudience;
        this.onClass = ImmutableList.copyOf(onClass);
        this.onObject = onObject;
    }

    /** Returns the operation of that name in requests. */
    public static Optional<ApiOperation> named(String key) {
        return Arrays.stream(values())
                .filter(operation -> operation.key.equals(key))
                .findFirst();
    }

    /** Returns all names, for messages. */
    public static List<String> names() {
        return Arrays.stream(values()).map(operation -> operation.key).toList();
    }

    EndpointAudience audience() {
        return endpointAudience;
    }

    /** Returns the permissions of the class that the operation needs. */
    List<ClassOperation> onClass() {
        return onClass;
    }

    /** Returns the right on the object that the operation needs, if any. */
    Optional<ObjectRight> onObject() {
        return Optional.ofNullable(onObject);
    }

    /** Returns whether classes without objects of their own have the operation. */
    boolean isAboutSchema() {
        return compareTo(SCHEMA_READ) >= 0;
    }
}
