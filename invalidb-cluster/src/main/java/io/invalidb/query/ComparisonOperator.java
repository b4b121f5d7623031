package io.invalidb.query;

import org.bson.BsonNumber;

/** The comparison operators {@code $gt}, {@code $gte}, {@code $lt} and {@code $lte}. */
enum ComparisonOperator {
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

    String operator() {
        return operator;
    }

    boolean orEqual() {
        return orEqual;
    }

    boolean isLowerBound() {
        return this == GREATER || this == GREATER_OR_EQUAL;
    }

    /** Returns whether the operator is satisfied by the result of a comparison with the operand. */
    boolean isSatisfiedBy(int comparison) {
        return comparison == 0 ? orEqual : comparison > 0 == isLowerBound();
    }

    /** Returns whether two numbers satisfy the operator; NaN is comparable only to itself. */
    boolean isSatisfiedBy(BsonNumber value, BsonNumber operand) {
        boolean valueIsNaN = NumberOrder.isNaN(value);
        boolean operandIsNaN = NumberOrder.isNaN(operand);
        return valueIsNaN || operandIsNaN
                ? orEqual && valueIsNaN && operandIsNaN
                : isSatisfiedBy(NumberOrder.compare(value, operand));
    }
}
