package io.invalidb.query;

import java.util.List;
import java.util.Optional;
import org.bson.BsonNull;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonUndefined;
import org.bson.BsonValue;

/**
 * A condition that at least one of the {@linkplain FieldPath#values values at a path} must satisfy. Operands are never
 * arrays, so the elements of an array are enough: an index need not hold whole arrays.
 */
public sealed interface PathConstraint {

    /**
     * The values that constraints hold for where this value is stored: null instead of undefined, and with a regular
     * expression, which {@code $regex} finds as well, the text that what it matches begins with.
     */
    static List<BsonValue> valuesOf(BsonValue stored) {
        if (stored instanceof BsonRegularExpression regex) {
            LiteralPrefix prefix = LiteralPrefix.of(regex.getPattern(), regex.getOptions());
            return List.of(regex, new BsonString(prefix.text()));
        }
        return List.of(stored instanceof BsonUndefined ? BsonNull.VALUE : stored);
    }

    /** Dotted path, without array positions. */
    String path();

    /**
     * One value at the path equals one of these; {@code null} also stands for a place where the field is absent.
     *
     * @param anyOf at least one value, ascending
     */
    record OneOf(String path, List<BsonValue> anyOf) implements PathConstraint {}

    /**
     * One value at the path lies between the bounds in MongoDB's order, within the type bracket of the bounds. At least
     * one bound is present. Bounds may be treated as inclusive: the filter is evaluated again.
     *
     * <p>Both bounds are present only where one and the same value has to respect both: for the prefix of a regular
     * expression, and inside {@code $elemMatch}. {@code {a: {$gt: 5, $lt: 10}}} gives two ranges with one bound each, for
     * the array {@code [1, 20]} matches it: 20 is greater than 5 and 1 is less than 10. Who knows that the field holds no
     * arrays may intersect them.
     */
    record Range(String path, Optional<BsonValue> lower, Optional<BsonValue> upper) implements PathConstraint {}
}
