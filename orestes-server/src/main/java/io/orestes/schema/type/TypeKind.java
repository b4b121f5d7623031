package io.orestes.schema.type;

/** The kinds of field types, by the structure of their values. */
public enum TypeKind {
    BASIC,
    REFERENCE,
    EMBEDDED,
    LIST,
    SET,
    MAP;

    /** Returns whether values of these types consist of elements: lists, sets and maps. */
    public boolean isCollection() {
        return isArray() || this == MAP;
    }

    /** Returns whether values of these types are stored as arrays: lists and sets. */
    public boolean isArray() {
        return this == LIST || this == SET;
    }
}
