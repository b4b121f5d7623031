package io.orestes.store.mongo.read;

import java.util.Optional;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonType;
import org.bson.BsonValue;

/**
 * The equality of scalar values in MongoDB, with a key for each class of equal values. Scalar are
 * the values that equal only values of their own kind.
 */
final class ScalarEqualityKey {

    /** 2<sup>63</sup>: whole numbers below are exact as 64-bit integers. */
    private static final double END_OF_LONGS = 0x1p63;

    private ScalarEqualityKey() {}

    /** True if all values of a type are scalar. */
    static boolean isScalar(BsonType type) {
        return switch (type) {
            case STRING, INT32, INT64, DOUBLE, BOOLEAN, DATE_TIME, OBJECT_ID -> true;
            default -> false;
        };
    }

    /**
     * Returns a key that is equal for scalar values that MongoDB calls equal, whatever the width of
     * numbers, and different for all others.
     *
     * @return empty for a value that is not scalar, and may be equal to scalar ones
     */
    static Optional<BsonValue> equalityHash(BsonValue value) {
        if (!isScalar(value.getBsonType())) {
            return Optional.empty();
        }
        return Optional.of(
                switch (value.getBsonType()) {
                    case INT32 -> new BsonInt64(value.asInt32().getValue());
                    case DOUBLE -> doubleKey(value.asDouble());
                    default -> value;
                });
    }

    private static BsonValue doubleKey(BsonDouble value) {
        double number = value.getValue();
        boolean isWhole = number == Math.rint(number) && number >= -END_OF_LONGS && number < END_OF_LONGS;
        return isWhole ? new BsonInt64((long) number) : value;
    }
}
