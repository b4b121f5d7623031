package io.invalidb.query.filter;

import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;

/**
 * The normal form of filters: explicit operators, with the conditions on one path merged into one
 * object. {@code $eq} is always explicit. Conditions on one path that need an operator twice go
 * below {@code $and}.
 */
final class NormalForm {

    private static final Map<String, String> NEGATIONS = Map.of("$eq", "$ne", "$in", "$nin", "$exists", "$exists");

    private NormalForm() {}

    static BsonDocument ofAnd(List<Condition> parts) {
        BsonDocument merged = new BsonDocument();
        BsonArray rest = new BsonArray();
        for (Condition part : parts) {
            BsonDocument form = part.toBson();
            if (!merge(form, merged)) {
                rest.add(form);
            }
        }
        if (!rest.isEmpty()) {
            merged.put("$and", rest);
        }
        return merged;
    }

    private static boolean merge(BsonDocument part, BsonDocument merged) {
        String name = part.getFirstKey();
        BsonValue present = merged.get(name);
        if (present == null) {
            merged.putAll(part);
            return true;
        }
        boolean isPath = !name.startsWith("$");
        if (isPath && present instanceof BsonDocument operators && isDisjoint(operators, part.getDocument(name))) {
            operators.putAll(part.getDocument(name));
            return true;
        }
        return false;
    }

    private static boolean isDisjoint(BsonDocument one, BsonDocument other) {
        return other.keySet().stream().noneMatch(one::containsKey);
    }

    static BsonDocument ofOr(List<Condition> parts) {
        if (parts.isEmpty()) {
            return new BsonDocument("$nor", new BsonArray(List.of(new BsonDocument())));
        }
        return new BsonDocument(
                "$or", new BsonArray(parts.stream().map(Condition::toBson).toList()));
    }

    static BsonDocument ofTests(List<ValuePredicate> tests) {
        BsonDocument operators = new BsonDocument();
        tests.forEach(test -> test.writeTo(operators));
        return operators;
    }

    static BsonArray ofAll(List<ValuePredicate> tests) {
        BsonArray elements = new BsonArray(tests.size());
        tests.forEach(test -> elements.add(test.toElementOfAll()));
        return elements;
    }

    /**
     * Writes a negation, preferably as {@code $ne}, {@code $nin} or {@code $exists: false} instead
     * of {@code $not}, if these operators are unused.
     */
    static void writeNegation(BsonDocument negated, BsonDocument operators) {
        String negation = negated.size() == 1 ? negationOf(negated) : "$not";
        if (negation.equals("$not") || operators.containsKey(negation)) {
            operators.put("$not", negated);
        } else {
            operators.put(
                    negation, negation.equals("$exists") ? BsonBoolean.FALSE : negated.get(negated.getFirstKey()));
        }
    }

    /**
     * Returns the operator of a negation. {@code $ne} accepts no regular expression, and a double
     * negation of {@code $exists} is none.
     */
    private static String negationOf(BsonDocument operator) {
        String name = operator.getFirstKey();
        BsonValue operand = operator.get(name, BsonNull.VALUE);
        return operand.isRegularExpression() || (name.equals("$exists") && operand.equals(BsonBoolean.FALSE))
                ? "$not"
                : NEGATIONS.getOrDefault(name, "$not");
    }
}
