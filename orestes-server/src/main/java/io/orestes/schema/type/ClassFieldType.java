package io.orestes.schema.type;

import java.util.Optional;
import java.util.stream.Stream;
import org.bson.BsonType;

/** A type that a class of the schema defines. */
public sealed interface ClassFieldType extends FieldType {

    /** Returns the name of the class. */
    String bucket();

    @Override
    default String ref() {
        return "/db/" + bucket();
    }

    @Override
    default Stream<ClassFieldType> classTypes() {
        return Stream.of(this);
    }

    /**
     * A reference to an object of the class or of a subclass; stored as the canonical id string.
     */
    record Reference(String bucket) implements ClassFieldType {

        @Override
        public BsonType storedAs() {
            return BsonType.STRING;
        }

        @Override
        public boolean isKey() {
            return true;
        }

        @Override
        public TypeKind kind() {
            return TypeKind.REFERENCE;
        }

        @Override
        public Optional<String> referencedClass() {
            return Optional.of(bucket);
        }
    }

    /** An object without identity that is part of another one. */
    record Embedded(String bucket) implements ClassFieldType {

        @Override
        public BsonType storedAs() {
            return BsonType.DOCUMENT;
        }

        @Override
        public boolean isKey() {
            return false;
        }

        @Override
        public TypeKind kind() {
            return TypeKind.EMBEDDED;
        }

        @Override
        public Optional<String> embeddedClass() {
            return Optional.of(bucket);
        }
    }
}
