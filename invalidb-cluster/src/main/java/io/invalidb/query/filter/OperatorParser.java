package io.invalidb.query.filter;

import io.invalidb.query.Excerpt;
import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.geo.GeoOperandParser;
import io.invalidb.query.regex.TextPattern;
import io.invalidb.query.value.BsonOrder;
import io.invalidb.query.value.CanonicalValue;
import io.invalidb.query.value.ComparisonOperator;
import io.invalidb.query.value.LongConversion;
import io.invalidb.query.value.NumberOrder;
import io.invalidb.query.value.TypeNames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonNumber;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonUndefined;
import org.bson.BsonValue;

/**
 * The parser for the operand of a path: a value, a regular expression or an object of operators.
 */
final class OperatorParser {

    private static final int MAX_TESTS = 10_000;
    private static final int MAX_PATTERNS = 100;

    /**
     * First fields that mark an object as a reference to a document instead of an object of
     * operators.
     */
    private static final Set<String> REFERENCE_FIELDS = Set.of("$ref", "$id", "$db");

    private static final Set<String> DISTANCES = Set.of("$minDistance", "$maxDistance");

    private static final Set<String> JOINING =
            Set.of("$and", "$or", "$nor", "$expr", "$text", "$jsonSchema", "$comment");

    private final FilterParser filters;
    private int tests = 0;
    private int patterns = 0;

    OperatorParser(FilterParser filters) {
        this.filters = filters;
    }

    /** Returns the tests that all have to pass, at least one. */
    List<ValuePredicate> tests(BsonValue value) {
        if (value instanceof BsonDocument operators && isOperators(operators)) {
            return sortedDistinct(each(operators));
        }
        count();
        return List.of(value instanceof BsonRegularExpression regex ? matching(regex) : equal(value));
    }

    private static boolean isOperators(BsonDocument document) {
        boolean starts = !document.isEmpty() && isOperator(document.getFirstKey());
        for (String name : document.keySet()) {
            if (isOperator(name) != starts && !REFERENCE_FIELDS.contains(name)) {
                throw new QuerySyntaxException(
                        "Operators and fields are mixed in one object, near '" + Excerpt.of(name) + "'");
            }
        }
        return starts;
    }

    private static boolean isOperator(String name) {
        return name.startsWith("$") && !REFERENCE_FIELDS.contains(name);
    }

    private List<ValuePredicate> each(BsonDocument operators) {
        List<ValuePredicate> parsed = new ArrayList<>();
        operators.forEach((name, operand) -> {
            count();
            if (name.equals("$options")) {
                requireBeside(operators, name, Set.of("$regex"));
            } else if (DISTANCES.contains(name)) {
                requireBeside(operators, name, Set.of("$near", "$nearSphere"));
            } else {
                parsed.add(test(name, operand, operators));
            }
        });
        return parsed;
    }

    private void count() {
        if (++tests > MAX_TESTS) {
            throw new QueryNotSupportedException("A query has at most " + MAX_TESTS + " conditions");
        }
    }

    /**
     * Returns the tests in order without duplicates. Plain tests come first, since a negation of
     * the same operator moves to another object.
     */
    private static List<ValuePredicate> sortedDistinct(List<ValuePredicate> tests) {
        Map<BsonDocument, ValuePredicate> byForm = new TreeMap<>(BsonOrder.INSTANCE);
        tests.forEach(test -> byForm.put(NormalForm.ofTests(List.of(test)), test));
        return byForm.values().stream()
                .sorted(Comparator.comparing(ValuePredicate::isNegation))
                .toList();
    }

    private ValuePredicate test(String operator, BsonValue operand, BsonDocument siblings) {
        return switch (operator) {
            case "$eq" -> equal(operand);
            case "$ne" -> new ValuePredicate.Not(List.of(equal(requireNoRegex(operator, operand))));
            case "$gt" -> compared(ComparisonOperator.GREATER, operand);
            case "$gte" -> compared(ComparisonOperator.GREATER_OR_EQUAL, operand);
            case "$lt" -> compared(ComparisonOperator.LESS, operand);
            case "$lte" -> compared(ComparisonOperator.LESS_OR_EQUAL, operand);
            case "$in" -> in(operator, operand);
            case "$nin" -> new ValuePredicate.Not(List.of(in(operator, operand)));
            case "$not" -> not(operand);
            case "$exists" -> exists(operand);
            case "$type" -> new ValuePredicate.TypeMatch(TypeNames.parse(operand));
            case "$regex" -> matching(operand, siblings);
            case "$size" -> size(operand);
            case "$mod" -> modulo(operand);
            case "$all" -> all(operand);
            case "$elemMatch" -> elementMatching(operand);
            case "$geoWithin", "$within" -> new GeoPredicate("$geoWithin", GeoOperandParser.within(operand));
            case "$geoIntersects" -> new GeoPredicate(operator, GeoOperandParser.intersecting(operand));
            case "$near", "$nearSphere" -> NearPredicate.parse(operator, operand, siblings);
            case "$bitsAllSet" -> BitPredicate.parse(BitPredicate.BitTest.ALL_SET, operand);
            case "$bitsAllClear" -> BitPredicate.parse(BitPredicate.BitTest.ALL_CLEAR, operand);
            case "$bitsAnySet" -> BitPredicate.parse(BitPredicate.BitTest.ANY_SET, operand);
            case "$bitsAnyClear" -> BitPredicate.parse(BitPredicate.BitTest.ANY_CLEAR, operand);
            default ->
                throw new QueryNotSupportedException("The operator " + Excerpt.of(operator) + " is not supported");
        };
    }

    private static ValuePredicate equal(BsonValue operand) {
        return new ValuePredicate.Equal(CanonicalValue.of(requireDefined(operand)));
    }

    private static ValuePredicate compared(ComparisonOperator comparisonOperator, BsonValue operand) {
        BsonValue plain = requireNoRegex(comparisonOperator.operator(), requireDefined(operand));
        return new ValuePredicate.Comparison(comparisonOperator, CanonicalValue.of(plain));
    }

    /**
     * Fails on an undefined operand: undefined values are found by {@code null}, and no operator
     * compares to them.
     */
    private static BsonValue requireDefined(BsonValue operand) {
        if (operand instanceof BsonUndefined) {
            throw new QuerySyntaxException("Nothing can be compared to undefined");
        }
        return operand;
    }

    private static BsonValue requireNoRegex(String operator, BsonValue operand) {
        if (operand instanceof BsonRegularExpression) {
            throw new QuerySyntaxException(operator + " takes no regular expression");
        }
        return operand;
    }

    private ValuePredicate.In in(String operator, BsonValue operand) {
        List<BsonValue> values = new ArrayList<>();
        Map<BsonValue, TextPattern> found = new TreeMap<>(BsonOrder.INSTANCE);
        for (BsonValue value : array(operator, operand)) {
            if (value instanceof BsonRegularExpression regex) {
                TextPattern pattern = pattern(regex.getPattern(), regex.getOptions());
                found.put(pattern.toBson(), pattern);
            } else {
                values.add(CanonicalValue.of(requireNoOperators(operator, requireDefined(value))));
            }
        }
        return new ValuePredicate.In(SortedValues.of(values), List.copyOf(found.values()));
    }

    private static BsonArray array(String operator, BsonValue operand) {
        if (operand instanceof BsonArray array) {
            return array;
        }
        throw new QuerySyntaxException(operator + " takes an array");
    }

    private static BsonValue requireNoOperators(String operator, BsonValue value) {
        if (value instanceof BsonDocument document && !document.isEmpty() && isOperator(document.getFirstKey())) {
            throw new QuerySyntaxException(operator + " takes no operators in its array");
        }
        return value;
    }

    private ValuePredicate not(BsonValue operand) {
        if (operand instanceof BsonRegularExpression regex) {
            return new ValuePredicate.Not(List.of(matching(regex)));
        }
        if (operand instanceof BsonDocument operators && isOperators(operators)) {
            return new ValuePredicate.Not(tests(operators));
        }
        throw new QuerySyntaxException("$not takes an object of operators or a regular expression");
    }

    private static ValuePredicate exists(BsonValue operand) {
        ValuePredicate exists = new ValuePredicate.Exists();
        return isTrue(operand) ? exists : new ValuePredicate.Not(List.of(exists));
    }

    private static boolean isTrue(BsonValue value) {
        if (value instanceof BsonBoolean bool) {
            return bool.getValue();
        }
        if (value instanceof BsonNumber number) {
            return NumberOrder.isNaN(number) || !LongConversion.isZero(number);
        }
        return !(value instanceof BsonNull || value instanceof BsonUndefined);
    }

    private ValuePredicate matching(BsonRegularExpression regex) {
        return new ValuePredicate.RegexMatch(pattern(regex.getPattern(), regex.getOptions()));
    }

    private ValuePredicate matching(BsonValue operand, BsonDocument siblings) {
        BsonValue options = siblings.get("$options");
        if (options == null && operand instanceof BsonRegularExpression regex) {
            return matching(regex);
        }
        return new ValuePredicate.RegexMatch(
                pattern(source(operand), options == null ? "" : text("$options", options)));
    }

    private static String source(BsonValue operand) {
        if (operand instanceof BsonRegularExpression regex) {
            if (!regex.getOptions().isEmpty()) {
                throw new QuerySyntaxException("Options are given in $regex and in $options");
            }
            return regex.getPattern();
        }
        return text("$regex", operand);
    }

    private static String text(String operator, BsonValue operand) {
        if (operand instanceof BsonString string) {
            return string.getValue();
        }
        throw new QuerySyntaxException(operator + " takes a string");
    }

    private static void requireBeside(BsonDocument operators, String name, Set<String> needed) {
        if (needed.stream().noneMatch(operators::containsKey)) {
            throw new QuerySyntaxException(name + " needs another operator beside it");
        }
    }

    private TextPattern pattern(String pattern, String options) {
        if (++patterns > MAX_PATTERNS) {
            throw new QueryNotSupportedException("A query has at most " + MAX_PATTERNS + " regular expressions");
        }
        return TextPattern.of(pattern, options);
    }

    private static ValuePredicate size(BsonValue operand) {
        long size = integer(operand).orElse(-1);
        if (size < 0 || size > Integer.MAX_VALUE) {
            throw new QuerySyntaxException("$size takes an integer of 32 bits that is not negative");
        }
        return new ValuePredicate.Size(size);
    }

    private static OptionalLong integer(BsonValue value) {
        return value instanceof BsonNumber number ? LongConversion.exact(number) : OptionalLong.empty();
    }

    private static ValuePredicate modulo(BsonValue operand) {
        BsonArray numbers = array("$mod", operand);
        if (numbers.size() != 2) {
            throw new QuerySyntaxException("$mod takes a divisor and a remainder");
        }
        long divisor = truncated(numbers.get(0));
        if (divisor == 0) {
            throw new QuerySyntaxException("$mod takes a divisor other than 0");
        }
        return new ValuePredicate.Modulo(divisor, truncated(numbers.get(1)));
    }

    private static long truncated(BsonValue value) {
        OptionalLong truncated =
                value instanceof BsonNumber number ? LongConversion.truncated(number) : OptionalLong.empty();
        return truncated.orElseThrow(() -> new QuerySyntaxException("$mod takes two numbers of at most 64 bits"));
    }

    private ValuePredicate all(BsonValue operand) {
        BsonArray elements = array("$all", operand);
        boolean nested = !elements.isEmpty() && isElemMatch(elements.get(0));
        List<ValuePredicate> tests = new ArrayList<>();
        for (BsonValue element : elements) {
            count();
            tests.add(nested ? nestedInAll(element) : ofAll(element));
        }
        return new ValuePredicate.All(sortedDistinct(tests));
    }

    private static boolean isElemMatch(BsonValue value) {
        return value instanceof BsonDocument document && document.size() == 1 && document.containsKey("$elemMatch");
    }

    private ValuePredicate nestedInAll(BsonValue element) {
        if (element instanceof BsonDocument document && isElemMatch(document)) {
            return elementMatching(document.values().iterator().next());
        }
        throw new QuerySyntaxException("$all takes either $elemMatch in all elements or in none");
    }

    private ValuePredicate ofAll(BsonValue element) {
        return element instanceof BsonRegularExpression regex
                ? matching(regex)
                : equal(requireNoOperators("$all", element));
    }

    private ValuePredicate elementMatching(BsonValue operand) {
        if (!(operand instanceof BsonDocument document)) {
            throw new QuerySyntaxException("$elemMatch takes an object");
        }
        return isFilter(document)
                ? new ValuePredicate.DocumentElementMatch(filters.elementCondition(document))
                : new ValuePredicate.ValueElementMatch(tests(document));
    }

    private static boolean isFilter(BsonDocument document) {
        return document.isEmpty() || JOINING.contains(document.getFirstKey()) || !isOperator(document.getFirstKey());
    }
}
