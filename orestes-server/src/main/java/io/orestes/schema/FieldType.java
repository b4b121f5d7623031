package io.orestes.schema;

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

    /** The ref by which descriptors name the type. */
    String ref();

    /** The one BSON type that stored values have, {@code null} aside. */
    BsonType storedAs();

    /**
     * Whether that stored value is of the type. Integers stay as they are when their field becomes
     * one of Doubles.
     */
    default boolean isOf(BsonValue stored) {
        return stored.getBsonType() == storedAs();
    }

    /** Whether sets may hold it and maps may be keyed by it. */
    boolean isKey();

    /** The types of classes in it, itself included. */
    default Stream<ClassType> classTypes() {
        return Stream.empty();
    }

    /**
     * Reads a ref; empty if it is none. Whether the classes it names exist is for the caller to
     * check.
     *
     * @param isEmbedded tells which class names stand for embedded objects rather than references
     */
    static Optional<FieldType> parse(String ref, Predicate<String> isEmbedded) {
        return new TypeParser(isEmbedded).parse(ref);
    }
}
