package io.invalidb.query.filter;

import io.invalidb.query.geo.GeoBox;
import io.invalidb.query.geo.GeoPosition;
import io.invalidb.query.geo.StoredGeometry;
import io.invalidb.query.regex.LiteralPrefix;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.bson.BsonNull;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A condition that at least one of the {@linkplain FieldPath#values values at a path} must satisfy.
 */
public sealed interface PathConstraint extends NecessaryCondition {

    /**
     * Returns the values that constraints are tested on for a stored value: null instead of
     * undefined. A regular expression, which {@code $regex} finds as well, adds the text with which
     * its matches begin.
     */
    static List<BsonValue> valuesOf(BsonValue stored) {
        if (stored instanceof BsonRegularExpression regex) {
            LiteralPrefix prefix = LiteralPrefix.of(regex.getPattern(), regex.getOptions());
            return List.of(regex, new BsonString(prefix.text()));
        }
        return List.of(stored instanceof BsonUndefined ? BsonNull.VALUE : stored);
    }

    /** Returns the dotted path, without array positions. */
    String path();

    /** Returns the answer of the visitor's method for this kind of constraint. */
    <R> R accept(PathConstraintVisitor<R> visitor);

    @Override
    default <R> R accept(NecessaryConditionVisitor<R> visitor) {
        return accept((PathConstraintVisitor<R>) visitor);
    }

    @Override
    default List<NecessaryCondition> conjuncts() {
        return List.of(this);
    }

    @Override
    default NecessaryCondition withoutWords() {
        return this;
    }

    /** Returns a range that exactly the same values satisfy; empty if there is none. */
    default Optional<Range> equivalentRange() {
        return Optional.empty();
    }

    /**
     * One value at the path equals one of these; {@code null} also stands for an absent field.
     *
     * @param anyOf at least one value, ascending; possibly arrays, which are values at the path
     *     beside their elements
     */
    record OneOf(String path, List<BsonValue> anyOf) implements PathConstraint {

        @Override
        public <R> R accept(PathConstraintVisitor<R> visitor) {
            return visitor.visitOneOf(this);
        }

        @Override
        public Optional<Range> equivalentRange() {
            return anyOf.size() == 1 ? Optional.of(new Range(path, anyOf.get(0), anyOf.get(0))) : Optional.empty();
        }
    }

    /**
     * One value at the path lies between the bounds in MongoDB's order, within the type bracket of
     * the bounds. At least one bound is present. Bounds may be treated as inclusive: the filter is
     * evaluated again.
     *
     * <p>Both bounds are present only where a single value has to satisfy both: for the prefix of a
     * regular expression, and inside {@code $elemMatch}. {@code {a: {$gt: 5, $lt: 10}}} gives two
     * ranges with one bound each, for the array {@code [1, 20]} matches it: 20 is greater than 5
     * and 1 is less than 10. If the field has no arrays, they may be intersected.
     */
    record Range(String path, @Nullable BsonValue lower, @Nullable BsonValue upper) implements PathConstraint {

        /** Returns the lower bound; the upper one if there is no lower one. */
        public BsonValue bound() {
            return lower == null ? Objects.requireNonNull(upper) : lower;
        }

        @Override
        public <R> R accept(PathConstraintVisitor<R> visitor) {
            return visitor.visitRange(this);
        }

        @Override
        public Optional<Range> equivalentRange() {
            return Optional.of(this);
        }
    }

    /**
     * One value at the path is text with this prefix.
     *
     * @param text not empty
     */
    record Prefix(String path, String text) implements PathConstraint {

        @Override
        public <R> R accept(PathConstraintVisitor<R> visitor) {
            return visitor.visitPrefix(this);
        }

        @Override
        public Optional<Range> equivalentRange() {
            return Optional.of(range());
        }

        /** Returns the range from this text to the next one without the prefix. */
        public Range range() {
            return new Range(
                    path,
                    new BsonString(text),
                    successor(text).map(BsonString::new).orElse(null));
        }

        /**
         * Returns the smallest text above all texts with the prefix; empty if it consists of
         * maximum code points.
         */
        private static Optional<String> successor(String prefix) {
            if (prefix.isEmpty()) {
                return Optional.empty();
            }
            int last = prefix.codePointBefore(prefix.length());
            String rest = prefix.substring(0, prefix.length() - Character.charCount(last));
            if (last == Character.MAX_CODE_POINT) {
                return successor(rest);
            }
            int next = last + 1 == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : last + 1;
            return Optional.of(rest + Character.toString(next));
        }
    }

    /**
     * One value at the path is a {@linkplain GeoPosition#stored position}, infinitely far away or
     * in one of these rectangles, or a {@linkplain StoredGeometry geometry} whose bounds touch one
     * of them.
     *
     * @param boxes at least one
     */
    record Area(String path, List<GeoBox> boxes) implements PathConstraint {

        @Override
        public <R> R accept(PathConstraintVisitor<R> visitor) {
            return visitor.visitArea(this);
        }
    }
}
