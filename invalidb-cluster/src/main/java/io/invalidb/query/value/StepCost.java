package io.invalidb.query.value;

import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.StepBudget;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** The cost of reading or comparing a whole value, in steps of a {@link StepBudget}. */
public final class StepCost {

    private static final int CHARACTERS_PER_STEP = 8;

    private StepCost() {}

    /** Returns the cost of a value: one step for each nested value, and more for long texts. */
    public static long of(BsonValue value) {
        if (value instanceof BsonDocument document) {
            return ofFields(document);
        }
        if (value instanceof BsonArray array) {
            return ofElements(array);
        }
        return BsonOrder.isText(value) ? 1 + ofText(BsonOrder.text(value).length()) : 1;
    }

    /**
     * Charges the reading of a whole value, each part in advance.
     *
     * @throws BudgetExceededException if it is too much
     */
    public static void spend(BsonValue value, StepBudget stepBudget) {
        if (value instanceof BsonDocument document) {
            stepBudget.spend(1);
            document.forEach((name, field) -> {
                stepBudget.spend(ofText(name.length()));
                spend(field, stepBudget);
            });
        } else if (value instanceof BsonArray array) {
            stepBudget.spend(1);
            array.forEach(element -> spend(element, stepBudget));
        } else {
            stepBudget.spend(of(value));
        }
    }

    public static long ofText(int length) {
        return length / CHARACTERS_PER_STEP;
    }

    /**
     * Returns the maximum cost to compare two values of that bracket: a comparison ends with the
     * first difference, and with the shorter value.
     */
    public static long ofComparing(int bracket, BsonValue operand, BsonValue value) {
        return switch (bracket) {
            case BsonOrder.TEXT_BRACKET ->
                ofText(Math.min(
                        BsonOrder.text(operand).length(), BsonOrder.text(value).length()));
            case BsonOrder.DOCUMENT_BRACKET, BsonOrder.ARRAY_BRACKET -> of(operand);
            default -> 0;
        };
    }

    private static long ofFields(BsonDocument document) {
        long sum = 1;
        for (Map.Entry<String, BsonValue> field : document.entrySet()) {
            sum += ofText(field.getKey().length()) + of(field.getValue());
        }
        return sum;
    }

    private static long ofElements(BsonArray array) {
        long sum = 1;
        for (int i = 0; i < array.size(); i++) {
            sum += of(array.get(i));
        }
        return sum;
    }
}
