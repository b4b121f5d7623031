package io.invalidb.aggregation;

import io.invalidb.query.expression.ExpressionPath;
import io.invalidb.query.value.CanonicalValue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The grouping key of an aggregate: the {@code _id} of MongoDB's {@code $group}. Immutable. */
sealed interface GroupKey {

    /** Returns the key of an object's group, in one canonical form for all equal values. */
    BsonValue of(ExpressionPath.Values values);

    /**
     * Returns a key in which each field's value is converted; the function receives the field's
     * path.
     */
    BsonValue withFieldValues(BsonValue key, BiFunction<String, BsonValue, BsonValue> form);

    BsonValue toBson();

    /** One group of all objects. */
    record SingleGroup() implements GroupKey {

        @Override
        public BsonValue of(ExpressionPath.Values values) {
            return BsonNull.VALUE;
        }

        @Override
        public BsonValue withFieldValues(BsonValue key, BiFunction<String, BsonValue, BsonValue> form) {
            return key;
        }

        @Override
        public BsonValue toBson() {
            return BsonNull.VALUE;
        }
    }

    /** Groups by one field; objects without it belong to the group of null. */
    record Field(ExpressionPath path) implements GroupKey {

        @Override
        public BsonValue of(ExpressionPath.Values values) {
            return values.at(path).map(CanonicalValue::of).orElse(BsonNull.VALUE);
        }

        @Override
        public BsonValue withFieldValues(BsonValue key, BiFunction<String, BsonValue, BsonValue> form) {
            return form.apply(path.path(), key);
        }

        @Override
        public BsonValue toBson() {
            return new BsonString(path.toString());
        }
    }

    /** Groups by several fields; the key lacks those that the object lacks. */
    record Fields(Map<String, ExpressionPath> paths) implements GroupKey {

        public Fields {
            paths = new LinkedHashMap<>(paths);
        }

        @Override
        public BsonValue of(ExpressionPath.Values values) {
            BsonDocument key = new BsonDocument();
            paths.forEach(
                    (name, path) -> values.at(path).ifPresent(value -> key.append(name, CanonicalValue.of(value))));
            return key;
        }

        @Override
        public BsonValue withFieldValues(BsonValue key, BiFunction<String, BsonValue, BsonValue> form) {
            BsonDocument formed = new BsonDocument();
            paths.forEach((name, path) -> {
                BsonValue value = key.asDocument().get(name);
                if (value != null) {
                    formed.append(name, form.apply(path.path(), value));
                }
            });
            return formed;
        }

        @Override
        public BsonValue toBson() {
            BsonDocument document = new BsonDocument();
            paths.forEach((name, path) -> document.append(name, new BsonString(path.toString())));
            return document;
        }
    }
}
