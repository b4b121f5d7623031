package io.orestes.schema.type;

import java.util.stream.Stream;
import org.bson.BsonType;

/** A collection type of list, set or map. Collections do not nest. */
public sealed interface CollectionType extends FieldType {

    /** Returns the type of the elements of a list or set, or of the values of a map. */
    FieldType element();

    @Override
    default boolean isKey() {
        return false;
    }

    @Override
    default Stream<ClassType> classTypes() {
        return element().classTypes();
    }

    /** A list: elements in the given order, which may repeat. */
    record ListOf(FieldType element) implements CollectionType {

        @Override
        public String ref() {
            return "/db/collection.List[" + element.ref() + "]";
        }

        @Override
        public BsonType storedAs() {
            return BsonType.ARRAY;
        }
    }

    /** A set: distinct elements, in the order of first appearance. */
    record SetOf(FieldType element) implements CollectionType {

        @Override
        public String ref() {
            return "/db/collection.Set[" + element.ref() + "]";
        }

        @Override
        public BsonType storedAs() {
            return BsonType.ARRAY;
        }
    }

    /**
     * A map of values by key.
     *
     * @param key type whose string forms are the member names
     */
    record MapOf(FieldType key, FieldType element) implements CollectionType {

        @Override
        public String ref() {
            return "/db/collection.Map[" + key.ref() + "," + element.ref() + "]";
        }

        @Override
        public BsonType storedAs() {
            return BsonType.DOCUMENT;
        }

        @Override
        public Stream<ClassType> classTypes() {
            return Stream.concat(key.classTypes(), element.classTypes());
        }
    }
}
