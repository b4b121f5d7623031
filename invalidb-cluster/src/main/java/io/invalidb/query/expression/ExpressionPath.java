package io.invalidb.query.expression;

import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.Excerpt;
import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.StepBudget;
import io.invalidb.query.value.StepCost;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * A dotted path in expressions, such as {@code $lines.price}: one value for each document. An array
 * on the path yields the array of the values in its elements. Unlike in the path of a filter, a
 * number is no array position. Immutable.
 */
public final class ExpressionPath {

    private final String path;
    private final Expression expression;

    private ExpressionPath(String path, Expression expression) {
        this.path = path;
        this.expression = expression;
    }

    /**
     * Parses {@code $path}.
     *
     * @throws QuerySyntaxException if the path is malformed
     * @throws QueryNotSupportedException if the text is no path: a constant, or a variable such as
     *     {@code $$ROOT}
     */
    public static ExpressionPath parse(String text) {
        if (!text.startsWith("$") || text.startsWith("$$")) {
            throw new QueryNotSupportedException("Not a field path such as $price: '" + Excerpt.of(text) + "'");
        }
        return new ExpressionPath(text.substring(1), ExpressionParser.parse(new BsonString(text)));
    }

    /** Returns the path without the dollar sign. */
    public String path() {
        return path;
    }

    /**
     * The values of one document, which together may cost no more than one evaluation of a filter.
     */
    public static final class Values {

        private final BsonDocument document;
        private final StepBudget stepBudget;

        public Values(BsonDocument document) {
            this(document, new StepBudget());
        }

        public Values(BsonDocument document, StepBudget stepBudget) {
            this.document = document;
            this.stepBudget = stepBudget;
        }

        /**
         * Returns the value at the path; empty where the field is absent.
         *
         * @throws BudgetExceededException if there are too many elements on the paths so far, or in
         *     the values
         */
        public Optional<BsonValue> at(ExpressionPath path) {
            BsonValue value = path.expression.evaluate(document, stepBudget);
            StepCost.spend(value, stepBudget);
            return Expression.isMissing(value) ? Optional.empty() : Optional.of(value);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ExpressionPath that && path.equals(that.path);
    }

    @Override
    public int hashCode() {
        return path.hashCode();
    }

    /** Returns the parsed text. */
    @Override
    public String toString() {
        return "$" + path;
    }
}
