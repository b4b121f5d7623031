package io.orestes.update;

import io.orestes.schema.type.BasicType;
import io.orestes.schema.type.FieldType;
import io.orestes.schema.type.TypeKind;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The operators of partial updates (protocol §9) with the field types that they accept. */
enum UpdateOperator {
    SET("$set", Kind.NOT_EMBEDDED, true),
    INC("$inc", Kind.NUMBER, true),
    DEC("$dec", Kind.NUMBER, true),
    MUL("$mul", Kind.NUMBER, true),
    MIN("$min", Kind.NUMBER, true),
    MAX("$max", Kind.NUMBER, true),
    AND("$and", Kind.INTEGER, true),
    OR("$or", Kind.INTEGER, true),
    XOR("$xor", Kind.INTEGER, true),
    PUSH("$push", Kind.LIST, true),
    UNSHIFT("$unshift", Kind.LIST, true),
    POP("$pop", Kind.LIST, true),
    SHIFT("$shift", Kind.LIST, true),
    REPLACE("$replace", Kind.LIST, true),
    ADD("$add", Kind.SET, false),
    REMOVE("$remove", Kind.COLLECTION, true),
    PUT("$put", Kind.MAP, true),
    CURRENT_DATE("$currentDate", Kind.TIME, false),
    RENAME("$rename", Kind.ANY, false);

    private static final Map<String, UpdateOperator> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toMap(UpdateOperator::wireName, Function.identity()));

    private final String wireName;
    private final Kind kind;
    private final boolean isForJson;

    UpdateOperator(String wireName, Kind kind, boolean isForJson) {
        this.wireName = wireName;
        this.kind = kind;
        this.isForJson = isForJson;
    }

    /** Returns the operator of that name, e.g. {@code $inc}. */
    static Optional<UpdateOperator> named(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    String wireName() {
        return wireName;
    }

    /**
     * True if the operator accepts the type of the field; inside JSON that also depends on the
     * stored value.
     */
    boolean accepts(UpdatePath path) {
        return path.type().map(kind::includes).orElse(isForJson);
    }

    /** A set of field types that some operators accept. */
    private enum Kind {
        ANY,
        NOT_EMBEDDED,
        NUMBER,
        INTEGER,
        TIME,
        LIST,
        SET,
        MAP,
        COLLECTION;

        private static final Set<FieldType> NUMBERS = Set.of(BasicType.INTEGER, BasicType.DOUBLE);
        private static final Set<FieldType> TIMES = Set.of(BasicType.DATE, BasicType.DATE_TIME, BasicType.TIME);

        private boolean includes(FieldType type) {
            return switch (this) {
                case ANY -> true;
                case NOT_EMBEDDED -> type.kind() != TypeKind.EMBEDDED;
                case NUMBER -> NUMBERS.contains(type);
                case INTEGER -> type == BasicType.INTEGER;
                case TIME -> TIMES.contains(type);
                case LIST -> type.kind() == TypeKind.LIST;
                case SET -> type.kind() == TypeKind.SET;
                case MAP -> type.kind() == TypeKind.MAP;
                case COLLECTION -> type.kind().isCollection();
            };
        }
    }
}
