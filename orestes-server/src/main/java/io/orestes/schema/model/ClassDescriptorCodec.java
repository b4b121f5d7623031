package io.orestes.schema.model;

import io.orestes.model.Acl;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Permission;
import io.orestes.schema.type.FieldType;
import io.orestes.schema.type.NamingRules;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The codec between classes and their descriptors (protocol §7.1), on the wire and in the store. It
 * prints exactly the members that clients know, since an unknown member of an {@code acl} prevents
 * them from connecting.
 */
public final class ClassDescriptorCodec {

    /** Order of a field that is to follow all others. */
    static final int APPEND = -1;

    public static final int MAX_FIELDS = 1000;
    static final int MAX_ORDER = 1_000_000;

    static final int MAX_REMARKS = 100;
    static final int MAX_REMARK_LENGTH = 10_000;
    static final int MAX_FLAGS = 20;

    private static final int MAX_CODE_LENGTH = 100_000;

    private ClassDescriptorCodec() {}

    /** Returns the descriptor of one class. */
    public static BsonDocument print(ClassSchema schema) {
        BsonDocument descriptor = new BsonDocument("class", new BsonString(schema.ref()));
        schema.superClass().ifPresent(name -> descriptor.append("superClass", new BsonString("/db/" + name)));
        BsonDocument fields = new BsonDocument();
        schema.fields().forEach(field -> fields.append(field.name(), print(field)));
        descriptor.append("embedded", BsonBoolean.valueOf(schema.embedded())).append("fields", fields);
        descriptor.append("acl", printPermissions(schema)).append("metadata", strings(schema.metadata()));
        schema.validationCode().ifPresent(code -> descriptor.append("validationCode", new BsonString(code)));
        return descriptor;
    }

    /** Returns the class name in a descriptor. */
    public static String className(BsonDocument descriptor) {
        return NamingRules.classOf(JsonObjectReader.requiredText(descriptor, "class"));
    }

    /** Returns whether a descriptor is that of an embedded class. */
    public static boolean isEmbedded(BsonDocument descriptor) {
        return JsonObjectReader.flag(descriptor, "embedded");
    }

    /**
     * Parses a descriptor. Fails with {@code BAD_REQUEST} if it is malformed, with {@code
     * SCHEMA_NOT_COMPATIBLE} on an unknown type. The existence of referenced classes is not
     * checked.
     *
     * @param isEmbedded true for the names of embedded classes
     */
    public static ClassSchema parse(BsonDocument descriptor, Predicate<String> isEmbedded) {
        String name = className(descriptor);
        boolean embedded = isEmbedded(descriptor);
        ClassSchema empty = new ClassSchema(
                name,
                superClass(descriptor, name, embedded).orElse(null),
                embedded,
                List.of(),
                parsePermissions(JsonObjectReader.object(descriptor, "acl"), embedded),
                strings(JsonObjectReader.object(descriptor, "metadata")),
                validationCode(descriptor).orElse(null));
        return withFields(empty, JsonObjectReader.object(descriptor, "fields"), isEmbedded);
    }

    /** Parses the descriptor of one field. */
    public static FieldSchema parseField(BsonDocument descriptor, Predicate<String> isEmbedded) {
        String name = JsonObjectReader.requiredText(descriptor, "name");
        NamingRules.requireFieldName(name);
        return new FieldSchema(
                name,
                type(name, JsonObjectReader.requiredText(descriptor, "type"), isEmbedded),
                order(descriptor),
                flags(descriptor),
                strings(JsonObjectReader.object(descriptor, "metadata")));
    }

    /** Returns the descriptor of a field, overlaid with the members of another one. */
    public static BsonDocument changed(FieldSchema field, BsonDocument wanted) {
        BsonDocument descriptor = print(field);
        wanted.forEach((member, value) -> {
            if (!value.isNull()) {
                descriptor.append(member, value);
            }
        });
        return descriptor;
    }

    /** Parses the {@code acl} of a descriptor; omitted operations are omitted from the result. */
    public static Map<ClassOperation, Permission> parsePermissions(BsonDocument acl, boolean embedded) {
        requireKnownKeys(acl);
        Map<ClassOperation, Permission> permissions = new EnumMap<>(ClassOperation.class);
        for (ClassOperation operation : ClassOperation.values()) {
            if (acl.containsKey(operation.key()) && (!embedded || operation.appliesToEmbedded())) {
                permissions.put(operation, Acl.permission(acl, operation.key()));
            }
        }
        return permissions;
    }

    /** Returns the descriptor of one field. */
    public static BsonDocument print(FieldSchema field) {
        BsonArray flags = new BsonArray();
        field.flags().forEach(flag -> flags.add(new BsonString(flag)));
        return new BsonDocument("name", new BsonString(field.name()))
                .append("type", new BsonString(field.type().ref()))
                .append("order", new BsonInt64(field.order()))
                .append("flags", flags)
                .append("metadata", strings(field.metadata()));
    }

    private static BsonDocument printPermissions(ClassSchema schema) {
        BsonDocument acl = new BsonDocument();
        for (ClassOperation operation : ClassOperation.values()) {
            if (!schema.embedded() || operation.appliesToEmbedded()) {
                acl.append(operation.key(), Acl.rules(schema.permission(operation)));
            }
        }
        return acl;
    }

    private static ClassSchema withFields(ClassSchema target, BsonDocument fields, Predicate<String> isEmbedded) {
        require(fields.size() <= MAX_FIELDS, "A class has at most " + MAX_FIELDS + " fields");
        ClassSchema result = target;
        for (Map.Entry<String, BsonValue> member : fields.entrySet()) {
            result = result.withField(parseField(named(member.getKey(), member.getValue()), isEmbedded));
        }
        return result;
    }

    /**
     * Completes the descriptor of a field by its member name; a {@code name} inside may be omitted
     * but not differ.
     */
    private static BsonDocument named(String name, BsonValue field) {
        BsonDocument descriptor = JsonObjectReader.asObject(field, "fields." + NamingRules.shorten(name))
                .clone();
        BsonValue inner = descriptor.put("name", new BsonString(name));
        if (inner != null && !inner.isNull() && !inner.equals(new BsonString(name))) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "The field has two names: " + NamingRules.shorten(name));
        }
        return descriptor;
    }

    private static FieldType type(String field, String ref, Predicate<String> isEmbedded) {
        return FieldType.parse(ref, isEmbedded)
                .orElseThrow(() -> new ApiException(
                        ErrorCode.SCHEMA_NOT_COMPATIBLE,
                        "Unknown type of the field " + field + ": " + NamingRules.shorten(ref)));
    }

    private static int order(BsonDocument descriptor) {
        return JsonObjectReader.integer(descriptor, "order")
                .map(order -> {
                    if (order < 0 || order > MAX_ORDER) {
                        throw new ApiException(ErrorCode.BAD_REQUEST, "order is not between 0 and " + MAX_ORDER);
                    }
                    return order.intValue();
                })
                .orElse(APPEND);
    }

    private static Optional<String> superClass(BsonDocument descriptor, String name, boolean embedded) {
        Optional<String> declared =
                JsonObjectReader.text(descriptor, "superClass").map(NamingRules::classOf);
        if (embedded || name.equals(ClassSchema.ROOT)) {
            if (declared.filter(other -> !other.equals(ClassSchema.ROOT)).isPresent()) {
                throw new ApiException(ErrorCode.SCHEMA_NOT_COMPATIBLE, "/db/" + name + " cannot have a super class");
            }
            return Optional.empty();
        }
        return declared.or(() -> Optional.of(ClassSchema.ROOT));
    }

    private static Optional<String> validationCode(BsonDocument descriptor) {
        return JsonObjectReader.text(descriptor, "validationCode").filter(code -> {
            if (code.length() > MAX_CODE_LENGTH) {
                throw new ApiException(ErrorCode.BAD_REQUEST, "validationCode is too long");
            }
            return !code.isBlank();
        });
    }

    private static void requireKnownKeys(BsonDocument acl) {
        for (String key : acl.keySet()) {
            if (ClassOperation.named(key).isEmpty()) {
                throw new ApiException(
                        ErrorCode.BAD_REQUEST, "Unknown permission of a class: " + NamingRules.shorten(key));
            }
        }
    }

    private static BsonDocument strings(Map<String, String> metadata) {
        BsonDocument document = new BsonDocument();
        metadata.forEach((key, value) -> document.append(key, new BsonString(value)));
        return document;
    }

    private static Map<String, String> strings(BsonDocument metadata) {
        require(metadata.size() <= MAX_REMARKS, "metadata has at most " + MAX_REMARKS + " members");
        Map<String, String> strings = new LinkedHashMap<>();
        metadata.keySet().forEach(key -> strings.put(key, remark(metadata, key)));
        return strings;
    }

    private static String remark(BsonDocument metadata, String key) {
        String text = JsonObjectReader.requiredText(metadata, key);
        require(NamingRules.isRemark(key), "Not a name in metadata: " + NamingRules.shorten(key));
        require(text.length() <= MAX_REMARK_LENGTH, "metadata is too long: " + NamingRules.shorten(key));
        return text;
    }

    private static List<String> flags(BsonDocument descriptor) {
        List<String> flags = JsonObjectReader.texts(descriptor, "flags");
        require(
                flags.size() <= MAX_FLAGS && flags.stream().allMatch(flag -> flag.length() <= NamingRules.MAX_LENGTH),
                "A field has at most " + MAX_FLAGS + " flags of " + NamingRules.MAX_LENGTH + " characters");
        return flags;
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new ApiException(ErrorCode.BAD_REQUEST, message);
        }
    }
}
