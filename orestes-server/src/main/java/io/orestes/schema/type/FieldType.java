package io.orestes.schema.type;

import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.bson.BsonType;
import org.bson.BsonValue;

/**
 * The type of a field. It prints as and is parsed from refs such as
 * {@code /db/collection.List[/db/String]}.
 */
public sealed interface FieldType permits BasicType, ClassFieldType, CollectionType {

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

    /** Returns the kind of the type. */
    TypeKind kind();

    /** Returns the type itself if it is a basic one. */
    default Optional<BasicType> basicType() {
        return Optional.empty();
    }

    /** Returns the class whose objects the values refer to; empty unless they are references. */
    default Optional<String> referencedClass() {
        return Optional.empty();
    }

    /** Returns the class that declares the members of values; empty unless they are embedded. */
    default Optional<String> embeddedClass() {
        return Optional.empty();
    }

    /** Returns the type of single values: of the elements of collections, else the type itself. */
    default FieldType elementType() {
        return this;
    }

    /** Returns the type of keys; empty unless the type is a map. */
    default Optional<FieldType> keyType() {
        return Optional.empty();
    }

    /** Returns whether a segment of a path, behind a collection, names one of its elements. */
    default boolean isElementStep(String segment) {
        return false;
    }

    /**
     * Calls the consumer for each single value in a stored value: for the elements of a collection,
     * else for the value itself.
     */
    default void forEachElement(BsonValue stored, ElementConsumer consumer) {
        consumer.accept("", stored);
    }

    /**
     * Returns a stored value with each single value in it replaced: the elements of a collection,
     * else the value itself. A map that another program stored as an array counts as its elements.
     * Any other value of a collection type is returned unchanged.
     *
     * @param replacement function of the type of single values and such a value
     */
    default BsonValue mapElements(BsonValue stored, BiFunction<FieldType, BsonValue, BsonValue> replacement) {
        return replacement.apply(this, stored);
    }

    /** Returns the class types in it, itself included. */
    default Stream<ClassFieldType> classTypes() {
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

    /** A consumer of the single values in a stored value. */
    @FunctionalInterface
    interface ElementConsumer {

        /**
         * Accepts one value.
         *
         * @param step end of the value's path: {@code .} and its index or key; empty for a value
         *     that is not in a collection
         */
        void accept(String step, BsonValue element);
    }
}
