package io.invalidb.query.value;

import org.bson.BsonNumber;

/** The comparison operators {@code $gt}, {@code $gte}, {@code $lt} and {@code $lte}. */
public enum ComparisonOperator {
    GREATER("$gt", false),
    GREATER_OR_EQUAL("$gte", true),
    LESS("$lt", false),
    LESS_OR_EQUAL("$lte", true);

    private final String operator;
    private final boolean orEqual;

    ComparisonOperator(String operator, boolean orEqual) {
        this.operator = operator;
        this.orEqual = orEqual;
    }

    public String operator() {
        return operator;
    }

    public boolean orEqual() {
        return orEqual;
    }

    public boolean isLowerBound() {
        return this == GREATER || this == GREATER_OR_EQUAL;
    }

    /** Returns whether the operator is satisfied by the result of a comparison with the operand. */
    public boolean isSatisfiedBy(int comparison) {
        return comparison == 0 ? orEqual : comparison > 0 == isLowerBound();
    }

    /** Returns whether two numbers satisfy the operator; NaN is comparable only to itself. */
    public boolean isSatisfiedBy(BsonNumber value, BsonNumber operand) {
        boolean valueIsNaN = NumberOrder.isNaN(value);
        boolean operandIsNaN = NumberOrder.isNaN(operand);
        if (valueIsNaN || operandIsNaN) {
            return orEqual && valueIsNaN && operandIsNaN;
        }
        return isSatisfiedBy(NumberOrder.compare(value, operand));
    }
}
