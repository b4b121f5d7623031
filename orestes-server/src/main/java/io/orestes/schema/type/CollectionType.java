package io.orestes.schema.type;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonType;
import org.bson.BsonValue;

/** A collection type of list, set or map. Collections do not nest. */
public sealed interface CollectionType extends FieldType {

    /** Returns the type of the elements of a list or set, or of the values of a map. */
    FieldType element();

    @Override
    default boolean isKey() {
        return false;
    }

    @Override
    default FieldType elementType() {
        return element();
    }

    @Override
    default boolean isElementStep(String segment) {
        return isIndex(segment);
    }

    @Override
    default void forEachElement(BsonValue stored, ElementConsumer consumer) {
        if (stored.isArray()) {
            List<BsonValue> elements = stored.asArray();
            for (int i = 0; i < elements.size(); i++) {
                consumer.accept("." + i, elements.get(i));
            }
        }
    }

    @Override
    default BsonValue mapElements(BsonValue stored, BiFunction<FieldType, BsonValue, BsonValue> replacement) {
        if (!stored.isArray()) {
            return stored;
        }
        BsonArray replaced = new BsonArray(stored.asArray().size());
        stored.asArray().forEach(each -> replaced.add(replacement.apply(element(), each)));
        return replaced;
    }

    @Override
    default Stream<ClassFieldType> classTypes() {
        return element().classTypes();
    }

    /** Returns whether the segment of a path is the index of an element. */
    private static boolean isIndex(String segment) {
        return !segment.isEmpty() && segment.chars().allMatch(unit -> unit >= '0' && unit <= '9');
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

        @Override
        public TypeKind kind() {
            return TypeKind.LIST;
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

        @Override
        public TypeKind kind() {
            return TypeKind.SET;
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
        public TypeKind kind() {
            return TypeKind.MAP;
        }

        @Override
        public Optional<FieldType> keyType() {
            return Optional.of(key);
        }

        @Override
        public boolean isElementStep(String segment) {
            return true;
        }

        @Override
        public void forEachElement(BsonValue stored, ElementConsumer consumer) {
            if (stored.isDocument()) {
                stored.asDocument().forEach((name, element) -> consumer.accept("." + name, element));
            }
        }

        @Override
        public BsonValue mapElements(BsonValue stored, BiFunction<FieldType, BsonValue, BsonValue> replacement) {
            if (!stored.isDocument()) {
                return CollectionType.super.mapElements(stored, replacement);
            }
            BsonDocument replaced = new BsonDocument();
            stored.asDocument().forEach((name, each) -> replaced.append(name, replacement.apply(element, each)));
            return replaced;
        }

        @Override
        public Stream<ClassFieldType> classTypes() {
            return Stream.concat(key.classTypes(), element.classTypes());
        }
    }
}
