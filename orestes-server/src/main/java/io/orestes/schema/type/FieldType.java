package io.orestes.schema.type;

import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.bson.BsonType;
import org.bson.BsonValue;

/**
 * The type of a field. It prints as and is parsed from refs such as
 * {@code /db/collection.List[/db/String]}.
 */
public sealed interface FieldType permits BasicType, ClassType, CollectionType {

    /** Returns the ref of the type in descriptors. */
    String ref();

    /** Returns the one BSON type of stored values, {@code null} aside. */
    BsonType storedAs();

    /**
     * Returns whether the stored value is of the type. Integers stay unchanged when their field
     * becomes one of Doubles.
     */
    default boolean isOf(BsonValue stored) {
        return stored.getBsonType() == storedAs();
    }

    /** Returns whether values can be elements of sets and keys of maps. */
    boolean isKey();

    /** Returns the class types in it, itself included. */
    default Stream<ClassType> classTypes() {
        return Stream.empty();
    }

    /**
     * Parses a ref; empty if it is none. The caller checks whether its classes exist.
     *
     * @param isEmbedded true for the names of embedded classes, false for those of referenced ones
     */
    static Optional<FieldType> parse(String ref, Predicate<String> isEmbedded) {
        return new TypeParser(isEmbedded).parse(ref);
    }
}
