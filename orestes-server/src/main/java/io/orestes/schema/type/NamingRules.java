package io.orestes.schema.type;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The rules for the names of classes, fields and metadata. */
public final class NamingRules {

    public static final int MAX_LENGTH = 128;

    private static final Pattern FIELD = Pattern.compile("\\p{L}[\\p{L}\\p{M}\\p{N}_]*");
    private static final String DB = "/db/";

    /** Names that would change all objects of a JavaScript client, or their construction. */
    private static final Set<String> PROTOTYPES = Set.of("__proto__", "constructor", "prototype");

    private NamingRules() {}

    /**
     * Returns whether clients may use the class name: it has at most one namespace, and is neither
     * internal nor that of a type.
     */
    static boolean isClassName(String name) {
        return name.length() <= MAX_LENGTH
                && ObjectRef.isBucket(name)
                && !name.startsWith("_")
                && !name.startsWith("collection.")
                && name.indexOf('.') == name.lastIndexOf('.')
                && Stream.of(name.split("\\.", 2)).noneMatch(PROTOTYPES::contains)
                && BasicType.named(name).isEmpty();
    }

    /** Returns the class of a ref {@code /db/<Class>}. */
    public static String classOf(String ref) {
        if (!ref.startsWith(DB) || !isClassName(ref.substring(DB.length()))) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "Not the name of a class: " + shorten(ref));
        }
        return ref.substring(DB.length());
    }

    /**
     * Fails with {@code BAD_REQUEST} unless a class of clients may declare a field of that name.
     */
    public static void requireFieldName(String name) {
        if (!isFieldName(name)) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "Not a field name: " + shorten(name));
        }
    }

    /** Returns whether a field can have the name. */
    public static boolean isFieldName(String name) {
        return name.length() <= MAX_LENGTH && FIELD.matcher(name).matches() && !PROTOTYPES.contains(name);
    }

    /** Returns whether a metadata entry of an application can have the name. */
    public static boolean isRemark(String name) {
        return name.length() <= MAX_LENGTH && !PROTOTYPES.contains(name);
    }

    /** Returns whether the server maintains the field. */
    public static boolean isMetadata(String field) {
        return StoredObject.METADATA.contains(field);
    }

    /** Shortens a client's text to a length that fits a message. */
    public static String shorten(String text) {
        return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "…";
    }
}
