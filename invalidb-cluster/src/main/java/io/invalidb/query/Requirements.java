package io.invalidb.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonNull;
import org.bson.BsonType;
import org.bson.BsonValue;

/** Derives from a condition what an index can look up. */
final class Requirements {

    private Requirements() {}

    static Requirement of(Condition condition) {
        return of(condition, "");
    }

    /** Without words, which only stored documents are looked up by. */
    static Requirement withoutWords(Requirement requirement) {
        if (requirement instanceof Requirement.All all) {
            return all(all.parts().stream().map(Requirements::withoutWords).toList());
        }
        if (requirement instanceof Requirement.Any any) {
            return any(any.branches().stream().map(Requirements::withoutWords).toList());
        }
        return requirement instanceof Requirement.Words ? Requirement.NONE : requirement;
    }

    private static Requirement of(Condition condition, String prefix) {
        if (condition instanceof Condition.And and) {
            return all(and.parts().stream().map(part -> of(part, prefix)).toList());
        }
        if (condition instanceof Condition.Or or) {
            return any(or.parts().stream().map(part -> of(part, prefix)).toList());
        }
        if (condition instanceof Condition.Searching searching) {
            return new Requirement.Words(searching.search().indexedWords());
        }
        return condition instanceof Condition.OnPath onPath && !onPath.path().isPositional()
                ? onPath(prefix + onPath.path(), onPath.condition())
                : Requirement.NONE;
    }

    private static Requirement all(List<Requirement> parts) {
        List<Requirement> flat = new ArrayList<>();
        parts.forEach(part -> flat.addAll(part instanceof Requirement.All all ? all.parts() : List.of(part)));
        return flat.size() == 1 ? flat.get(0) : new Requirement.All(List.copyOf(flat));
    }

    /** Of a branch that nothing is known of every document may match. */
    private static Requirement any(List<Requirement> branches) {
        return branches.contains(Requirement.NONE) ? Requirement.NONE : new Requirement.Any(branches);
    }

    private static Requirement onPath(String path, ValueTest test) {
        if (test instanceof ValueTest.ElementMatching matching) {
            return needingField(of(matching.condition(), path + "."));
        }
        if (test instanceof ValueTest.ElementPassing passing) {
            return onElement(path, passing.tests());
        }
        return test instanceof ValueTest.In in ? in(path, in) : single(path, test);
    }

    /** An element that is itself an array lacks every field, but has no values at the path. */
    private static Requirement needingField(Requirement requirement) {
        if (requirement instanceof Requirement.All all) {
            return all(all.parts().stream().map(Requirements::needingField).toList());
        }
        if (requirement instanceof Requirement.Any any) {
            return any(any.branches().stream().map(Requirements::needingField).toList());
        }
        return requirement instanceof PathConstraint.OneOf oneOf
                        && oneOf.anyOf().contains(BsonNull.VALUE)
                ? Requirement.NONE
                : requirement;
    }

    private static Requirement in(String path, ValueTest.In in) {
        List<Requirement> branches = new ArrayList<>();
        if (!in.values().asList().isEmpty()) {
            branches.add(new PathConstraint.OneOf(path, in.values().asList()));
        }
        in.patterns().forEach(pattern -> branches.add(prefix(path, pattern)));
        return branches.size() == 1 ? branches.get(0) : any(branches);
    }

    private static Requirement prefix(String path, TextPattern pattern) {
        Optional<String> prefix = pattern.prefix();
        return prefix.isPresent() ? new PathConstraint.Prefix(path, prefix.get()) : Requirement.NONE;
    }

    private static Requirement single(String path, ValueTest test) {
        if (test instanceof ValueTest.Equal equal) {
            return new PathConstraint.OneOf(path, List.of(equal.operand()));
        }
        if (test instanceof ValueTest.In in) {
            return in(path, in);
        }
        if (test instanceof ValueTest.Compared compared) {
            return bound(path, compared);
        }
        if (test instanceof ValueTest.Matching matching) {
            return prefix(path, matching.pattern());
        }
        if (test instanceof GeoTest geo) {
            return area(path, geo.region().bounds());
        }
        return test instanceof NearTest near ? area(path, near.bounds()) : Requirement.NONE;
    }

    private static Requirement area(String path, List<GeoBox> bounds) {
        return bounds.isEmpty() ? Requirement.NONE : new PathConstraint.Area(path, bounds);
    }

    private static Requirement bound(String path, ValueTest.Compared compared) {
        if (compared.operand().isNull() && compared.relation().orEqual()) {
            return new PathConstraint.OneOf(path, List.of(compared.operand()));
        }
        if (!isBound(compared)) {
            return Requirement.NONE;
        }
        Optional<BsonValue> operand = Optional.of(compared.operand());
        return compared.relation().isLowerBound()
                ? new PathConstraint.Range(path, operand, Optional.empty())
                : new PathConstraint.Range(path, Optional.empty(), operand);
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

    /** One element passes all tests, so that a lower and an upper bound may be put together. */
    private static Requirement onElement(String path, List<ValueTest> tests) {
        List<Requirement> parts = new ArrayList<>();
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
