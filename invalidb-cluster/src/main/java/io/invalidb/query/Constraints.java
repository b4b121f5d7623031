package io.invalidb.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonValue;

/** Derives from a condition what an index can look up. */
final class Constraints {

    private Constraints() {}

    static List<PathConstraint> of(Condition condition) {
        List<PathConstraint> found = new ArrayList<>();
        collect(condition, "", found);
        return List.copyOf(found);
    }

    private static void collect(Condition condition, String prefix, List<PathConstraint> found) {
        if (condition instanceof Condition.And and) {
            and.parts().forEach(part -> collect(part, prefix, found));
        } else if (condition instanceof Condition.OnPath onPath
                && !onPath.path().isPositional()) {
            onPath(prefix + onPath.path(), onPath.condition(), found);
        }
    }

    private static void onPath(String path, ValueTest test, List<PathConstraint> found) {
        if (test instanceof ValueTest.ElementMatching matching) {
            List<PathConstraint> inner = new ArrayList<>();
            collect(matching.condition(), path + ".", inner);
            inner.stream().filter(Constraints::needsField).forEach(found::add);
        } else if (test instanceof ValueTest.ElementPassing passing) {
            onElement(path, passing.tests(), found);
        } else {
            single(path, test).ifPresent(found::add);
        }
    }

    /** An element that is itself an array lacks every field, but has no values at the path. */
    private static boolean needsField(PathConstraint constraint) {
        return !(constraint instanceof PathConstraint.OneOf oneOf
                && oneOf.anyOf().contains(BsonNull.VALUE));
    }

    private static Optional<PathConstraint> single(String path, ValueTest test) {
        if (test instanceof ValueTest.Equal equal) {
            return oneOf(path, List.of(equal.operand()));
        }
        if (test instanceof ValueTest.In in) {
            return in.patterns().isEmpty() ? oneOf(path, in.values().asList()) : Optional.empty();
        }
        if (test instanceof ValueTest.Compared compared) {
            return bound(path, compared);
        }
        return test instanceof ValueTest.Matching matching
                ? matching.pattern().prefix().map(prefix -> prefixRange(path, prefix))
                : Optional.empty();
    }

    private static Optional<PathConstraint> oneOf(String path, List<BsonValue> anyOf) {
        return anyOf.isEmpty() || anyOf.stream().anyMatch(BsonValue::isArray)
                ? Optional.empty()
                : Optional.of(new PathConstraint.OneOf(path, anyOf));
    }

    private static Optional<PathConstraint> bound(String path, ValueTest.Compared compared) {
        if (isNullOrEqual(compared)) {
            return oneOf(path, List.of(compared.operand()));
        }
        if (!isBound(compared)) {
            return Optional.empty();
        }
        Optional<BsonValue> operand = Optional.of(compared.operand());
        return Optional.of(
                compared.relation().isLowerBound()
                        ? new PathConstraint.Range(path, operand, Optional.empty())
                        : new PathConstraint.Range(path, Optional.empty(), operand));
    }

    private static boolean isNullOrEqual(ValueTest.Compared compared) {
        return compared.operand().isNull() && compared.relation().orEqual();
    }

    private static boolean isBound(ValueTest.Compared compared) {
        BsonValue operand = compared.operand();
        BsonType type = operand.getBsonType();
        return !(operand.isArray()
                || operand.isNull()
                || compared.operandIsNaN()
                || type == BsonType.MIN_KEY
                || type == BsonType.MAX_KEY);
    }

    private static PathConstraint prefixRange(String path, String prefix) {
        return new PathConstraint.Range(
                path, Optional.of(new BsonString(prefix)), successor(prefix).map(BsonString::new));
    }

    /** The smallest text above everything with the prefix; there is none if it consists of largest code points. */
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

    /** One element passes all tests, so that a lower and an upper bound may be put together. */
    private static void onElement(String path, List<ValueTest> tests, List<PathConstraint> found) {
        List<PathConstraint> single = new ArrayList<>();
        tests.forEach(test -> single(path, test).ifPresent(single::add));
        List<PathConstraint.Range> bounds = single.stream()
                .filter(PathConstraint.Range.class::isInstance)
                .map(PathConstraint.Range.class::cast)
                .toList();
        joined(path, bounds).ifPresent(range -> {
            single.removeAll(bounds);
            single.add(range);
        });
        found.addAll(single);
    }

    private static Optional<PathConstraint> joined(String path, List<PathConstraint.Range> bounds) {
        Optional<BsonValue> lower =
                bounds.stream().flatMap(range -> range.lower().stream()).findFirst();
        Optional<BsonValue> upper =
                bounds.stream().flatMap(range -> range.upper().stream()).findFirst();
        boolean isPair = bounds.size() == 2 && lower.isPresent() && upper.isPresent();
        return isPair && BsonOrder.sameBracket(lower.get(), upper.get())
                ? Optional.of(new PathConstraint.Range(path, lower, upper))
                : Optional.empty();
    }
}
