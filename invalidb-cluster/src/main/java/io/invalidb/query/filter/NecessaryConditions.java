package io.invalidb.query.filter;

import io.invalidb.query.geo.GeoBox;
import io.invalidb.query.regex.TextPattern;
import io.invalidb.query.value.BsonOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonNull;
import org.bson.BsonType;
import org.bson.BsonValue;

/**
 * The derivation of necessary conditions that an index can look up from the condition of a filter.
 */
final class NecessaryConditions {

    private NecessaryConditions() {}

    static NecessaryCondition of(Condition condition) {
        return of(condition, "");
    }

    /** Returns the condition without words, by which only stored documents are looked up. */
    static NecessaryCondition withoutWords(NecessaryCondition necessaryCondition) {
        if (necessaryCondition instanceof NecessaryCondition.All all) {
            return all(
                    all.parts().stream().map(NecessaryConditions::withoutWords).toList());
        }
        if (necessaryCondition instanceof NecessaryCondition.Any any) {
            return any(any.branches().stream()
                    .map(NecessaryConditions::withoutWords)
                    .toList());
        }
        return necessaryCondition instanceof NecessaryCondition.Words ? NecessaryCondition.NONE : necessaryCondition;
    }

    private static NecessaryCondition of(Condition condition, String prefix) {
        if (condition instanceof Condition.And and) {
            return all(and.parts().stream().map(part -> of(part, prefix)).toList());
        }
        if (condition instanceof Condition.Or or) {
            return any(or.parts().stream().map(part -> of(part, prefix)).toList());
        }
        if (condition instanceof Condition.SearchCondition searching) {
            return new NecessaryCondition.Words(searching.search().indexedWords());
        }
        return condition instanceof Condition.PathCondition onPath
                        && !onPath.path().isPositional()
                ? onPath(prefix + onPath.path(), onPath.condition())
                : NecessaryCondition.NONE;
    }

    private static NecessaryCondition all(List<NecessaryCondition> parts) {
        List<NecessaryCondition> flat = new ArrayList<>();
        parts.forEach(part -> flat.addAll(part instanceof NecessaryCondition.All all ? all.parts() : List.of(part)));
        return flat.size() == 1 ? flat.get(0) : new NecessaryCondition.All(List.copyOf(flat));
    }

    /**
     * Returns the condition of a disjunction; a branch without a condition may match every
     * document.
     */
    private static NecessaryCondition any(List<NecessaryCondition> branches) {
        return branches.contains(NecessaryCondition.NONE)
                ? NecessaryCondition.NONE
                : new NecessaryCondition.Any(branches);
    }

    private static NecessaryCondition onPath(String path, ValuePredicate test) {
        if (test instanceof ValuePredicate.DocumentElementMatch matching) {
            return needingField(of(matching.condition(), path + "."));
        }
        if (test instanceof ValuePredicate.ValueElementMatch passing) {
            return onElement(path, passing.tests());
        }
        return test instanceof ValuePredicate.In in ? in(path, in) : single(path, test);
    }

    /**
     * Returns the condition, weakened for documents without the field: an element that is itself an
     * array lacks every field, but has no values at the path.
     */
    private static NecessaryCondition needingField(NecessaryCondition necessaryCondition) {
        if (necessaryCondition instanceof NecessaryCondition.All all) {
            return all(
                    all.parts().stream().map(NecessaryConditions::needingField).toList());
        }
        if (necessaryCondition instanceof NecessaryCondition.Any any) {
            return any(any.branches().stream()
                    .map(NecessaryConditions::needingField)
                    .toList());
        }
        return necessaryCondition instanceof PathConstraint.OneOf oneOf
                        && oneOf.anyOf().contains(BsonNull.VALUE)
                ? NecessaryCondition.NONE
                : necessaryCondition;
    }

    private static NecessaryCondition in(String path, ValuePredicate.In in) {
        List<NecessaryCondition> branches = new ArrayList<>();
        if (!in.values().asList().isEmpty()) {
            branches.add(new PathConstraint.OneOf(path, in.values().asList()));
        }
        in.patterns().forEach(pattern -> branches.add(prefix(path, pattern)));
        return branches.size() == 1 ? branches.get(0) : any(branches);
    }

    private static NecessaryCondition prefix(String path, TextPattern pattern) {
        Optional<String> prefix = pattern.prefix();
        return prefix.isPresent() ? new PathConstraint.Prefix(path, prefix.get()) : NecessaryCondition.NONE;
    }

    private static NecessaryCondition single(String path, ValuePredicate test) {
        if (test instanceof ValuePredicate.Equal equal) {
            return new PathConstraint.OneOf(path, List.of(equal.operand()));
        }
        if (test instanceof ValuePredicate.In in) {
            return in(path, in);
        }
        if (test instanceof ValuePredicate.Comparison compared) {
            return bound(path, compared);
        }
        if (test instanceof ValuePredicate.RegexMatch matching) {
            return prefix(path, matching.pattern());
        }
        if (test instanceof GeoPredicate geo) {
            return area(path, geo.region().bounds());
        }
        return test instanceof NearPredicate near ? area(path, near.bounds()) : NecessaryCondition.NONE;
    }

    private static NecessaryCondition area(String path, List<GeoBox> bounds) {
        return bounds.isEmpty() ? NecessaryCondition.NONE : new PathConstraint.Area(path, bounds);
    }

    private static NecessaryCondition bound(String path, ValuePredicate.Comparison compared) {
        if (compared.operand().isNull() && compared.relation().orEqual()) {
            return new PathConstraint.OneOf(path, List.of(compared.operand()));
        }
        if (!isBound(compared)) {
            return NecessaryCondition.NONE;
        }
        Optional<BsonValue> operand = Optional.of(compared.operand());
        return compared.relation().isLowerBound()
                ? new PathConstraint.Range(path, operand, Optional.empty())
                : new PathConstraint.Range(path, Optional.empty(), operand);
    }

    private static boolean isBound(ValuePredicate.Comparison compared) {
        BsonValue operand = compared.operand();
        BsonType type = operand.getBsonType();
        return !(operand.isArray()
                || operand.isNull()
                || compared.operandIsNaN()
                || type == BsonType.MIN_KEY
                || type == BsonType.MAX_KEY);
    }

    /**
     * Returns the condition of an element that passes all tests, so that a lower and an upper bound
     * may be combined.
     */
    private static NecessaryCondition onElement(String path, List<ValuePredicate> tests) {
        List<NecessaryCondition> parts = new ArrayList<>();
        tests.forEach(test -> parts.add(single(path, test)));
        List<PathConstraint.Range> bounds = parts.stream()
                .filter(PathConstraint.Range.class::isInstance)
                .map(PathConstraint.Range.class::cast)
                .toList();
        joined(path, bounds).ifPresent(range -> {
            parts.removeAll(bounds);
            parts.add(range);
        });
        return all(parts);
    }

    private static Optional<PathConstraint.Range> joined(String path, List<PathConstraint.Range> bounds) {
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
