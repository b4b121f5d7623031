package io.orestes.schema.change;

import io.orestes.schema.type.BasicType;
import io.orestes.schema.type.FieldType;
import java.util.Map;

/**
 * A total order of types in which a wider type follows the narrower ones. It covers single values
 * and kinds of collections. Which reference is wider depends on the classes, so such changes are
 * coordinated.
 */
final class TypeWideningOrder {

    private static final Map<FieldType, String> BASIC =
            Map.of(BasicType.INTEGER, "!0", BasicType.DOUBLE, "!1", BasicType.DATE, "!2", BasicType.DATE_TIME, "!3");

    private TypeWideningOrder() {}

    /** Returns the sort key of a type; different types have different keys. */
    static String key(FieldType type) {
        return switch (type.kind()) {
            case SET -> "collection.0[" + key(type.elementType()) + "]";
            case LIST -> "collection.1[" + key(type.elementType()) + "]";
            case MAP -> "collection.2[" + keyRef(type) + "," + key(type.elementType()) + "]";
            case BASIC, REFERENCE, EMBEDDED -> BASIC.getOrDefault(type, type.ref());
        };
    }

    private static String keyRef(FieldType map) {
        return map.keyType().orElseThrow().ref();
    }
}
