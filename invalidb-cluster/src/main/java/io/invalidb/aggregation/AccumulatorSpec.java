package io.invalidb.aggregation;

import io.invalidb.query.expression.ExpressionPath;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonUndefined;
import org.bson.BsonValue;

/**
 * The specification of one computed field of a group: its operator and the operand that it
 * combines. Immutable.
 */
record AccumulatorSpec(Kind kind, Operand operand) {

    /** Placeholder for a value that does not count. */
    static final BsonValue NOTHING = new BsonUndefined();

    enum Kind {
        SUM("$sum"),
        AVG("$avg"),
        MIN("$min"),
        MAX("$max");

        private final String operator;

        Kind(String operator) {
            this.operator = operator;
        }

        String operator() {
            return operator;
        }

        /**
         * Returns whether the value counts: sums and averages count numbers only, minimum and
         * maximum everything but null.
         */
        private boolean counts(BsonValue value) {
            if (this == SUM || this == AVG) {
                return value instanceof BsonNumber;
            }
            return !value.isNull() && isSomething(value);
        }
    }

    /** The source of values. */
    sealed interface Operand {

        Optional<BsonValue> find(ExpressionPath.Values values);

        /** Returns the path of a field; empty for a constant. */
        default Optional<String> path() {
            return Optional.empty();
        }

        BsonValue toBson();
    }

    /** A constant number, equal for each object. */
    record Constant(BsonNumber number) implements Operand {

        @Override
        public Optional<BsonValue> find(ExpressionPath.Values values) {
            return Optional.of(number);
        }

        @Override
        public BsonValue toBson() {
            return number;
        }
    }

    /** A field of the object. */
    record Field(ExpressionPath expressionPath) implements Operand {

        @Override
        public Optional<BsonValue> find(ExpressionPath.Values values) {
            return values.at(expressionPath);
        }

        @Override
        public Optional<String> path() {
            return Optional.of(expressionPath.path());
        }

        @Override
        public BsonValue toBson() {
            return new BsonString(expressionPath.toString());
        }
    }

    /** Returns the value of an object: one that counts, or {@link #NOTHING}. */
    BsonValue extract(ExpressionPath.Values values) {
        return operand.find(values).filter(kind::counts).orElse(NOTHING);
    }

    static boolean isSomething(BsonValue taken) {
        return !(taken instanceof BsonUndefined);
    }

    /** Returns the path whose values are results, unlike those of sums. */
    Optional<String> resultPath() {
        return kind == Kind.MIN || kind == Kind.MAX ? operand.path() : Optional.empty();
    }

    /** Creates an accumulator that values can be added to and removed from. */
    FieldAccumulator newRetractable() {
        return switch (kind) {
            case SUM -> new SumAccumulator();
            case AVG -> new AverageAccumulator();
            case MIN -> new RetractableMinMaxAccumulator(true);
            case MAX -> new RetractableMinMaxAccumulator(false);
        };
    }

    /**
     * Creates an accumulator that values are only added to, so that it need not store all of them.
     */
    FieldAccumulator newInsertOnly() {
        return switch (kind) {
            case SUM, AVG -> newRetractable();
            case MIN -> new MinMaxAccumulator(true);
            case MAX -> new MinMaxAccumulator(false);
        };
    }

    BsonDocument toBson() {
        return new BsonDocument(kind.operator(), operand.toBson());
    }
}
