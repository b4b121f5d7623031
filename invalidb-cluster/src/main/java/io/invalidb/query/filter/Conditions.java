package io.invalidb.query.filter;

import io.invalidb.query.text.TextSearch;
import io.invalidb.query.value.BsonOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.bson.BsonDocument;

/**
 * Factory methods that bring conditions of different spelling to equal forms, and the replacement
 * of searches in them.
 */
final class Conditions {

    static final Condition ALWAYS = new Condition.And(List.of());
    static final Condition NEVER = new Condition.Or(List.of());

    private Conditions() {}

    static Condition and(List<Condition> parts) {
        List<Condition> flat = new ArrayList<>();
        parts.forEach(part -> flat.addAll(part instanceof Condition.And and ? and.parts() : List.of(part)));
        List<Condition> normal = sortedDistinct(flat);
        if (normal.contains(NEVER)) {
            return NEVER;
        }
        return normal.size() == 1 ? normal.get(0) : new Condition.And(normal);
    }

    static Condition or(List<Condition> parts) {
        List<Condition> flat = new ArrayList<>();
        parts.forEach(part -> flat.addAll(part instanceof Condition.Or or ? or.parts() : List.of(part)));
        List<Condition> normal = sortedDistinct(flat);
        if (normal.contains(ALWAYS)) {
            return ALWAYS;
        }
        return normal.size() == 1 ? normal.get(0) : new Condition.Or(normal);
    }

    private static List<Condition> sortedDistinct(List<Condition> parts) {
        Map<BsonDocument, Condition> byForm = new TreeMap<>(BsonOrder.INSTANCE);
        parts.forEach(part -> byForm.put(part.toBson(), part));
        return List.copyOf(byForm.values());
    }

    /**
     * Returns the complement, with "and" and "or" exchanged down to the paths; a search has none.
     */
    static Condition not(Condition condition) {
        if (condition instanceof Condition.And and) {
            return or(and.parts().stream().map(Conditions::not).toList());
        }
        if (condition instanceof Condition.Or or) {
            return and(or.parts().stream().map(Conditions::not).toList());
        }
        if (condition instanceof Condition.ExpressionCondition computed) {
            return new Condition.ExpressionCondition(computed.expression(), !computed.expected());
        }
        if (condition instanceof Condition.SchemaCondition conforming) {
            return new Condition.SchemaCondition(conforming.schema(), !conforming.expected());
        }
        Condition.PathCondition onPath = (Condition.PathCondition) condition;
        return isNot(onPath.path(), onPath.condition());
    }

    /** Returns whether a condition, or a part of it, is a search. */
    static boolean hasSearch(Condition condition) {
        if (condition instanceof Condition.And and) {
            return and.parts().stream().anyMatch(Conditions::hasSearch);
        }
        if (condition instanceof Condition.Or or) {
            return or.parts().stream().anyMatch(Conditions::hasSearch);
        }
        return condition instanceof Condition.SearchCondition;
    }

    /** Returns a condition with another one in the place of a search. */
    static Condition replaceSearch(Condition condition, Function<TextSearch, Condition> other) {
        if (condition instanceof Condition.And and) {
            return and(
                    and.parts().stream().map(part -> replaceSearch(part, other)).toList());
        }
        if (condition instanceof Condition.Or or) {
            return or(
                    or.parts().stream().map(part -> replaceSearch(part, other)).toList());
        }
        return condition instanceof Condition.SearchCondition searching ? other.apply(searching.search()) : condition;
    }

    static Condition is(FieldPath path, ValuePredicate test) {
        if (test instanceof ValuePredicate.Not not) {
            return or(each(not.tests(), part -> isNot(path, part)));
        }
        if (test instanceof ValuePredicate.All all) {
            return all.tests().isEmpty() ? NEVER : and(each(all.tests(), part -> is(path, part)));
        }
        return test instanceof ValuePredicate.In in && isSmall(in)
                ? ofSmall(path, in)
                : new Condition.PathCondition(path, test);
    }

    private static Condition isNot(FieldPath path, ValuePredicate test) {
        if (test instanceof ValuePredicate.Not not) {
            return and(each(not.tests(), part -> is(path, part)));
        }
        if (test instanceof ValuePredicate.All all) {
            return all.tests().isEmpty() ? ALWAYS : or(each(all.tests(), part -> isNot(path, part)));
        }
        return test instanceof ValuePredicate.In in && isSmall(in)
                ? not(ofSmall(path, in))
                : new Condition.PathCondition(path, new ValuePredicate.Not(List.of(test)));
    }

    private static List<Condition> each(List<ValuePredicate> tests, Function<ValuePredicate, Condition> toCondition) {
        return tests.stream().map(toCondition).toList();
    }

    private static boolean isSmall(ValuePredicate.In in) {
        return in.values().asList().size() + in.patterns().size() <= 1;
    }

    private static Condition ofSmall(FieldPath path, ValuePredicate.In in) {
        if (!in.patterns().isEmpty()) {
            return new Condition.PathCondition(
                    path, new ValuePredicate.RegexMatch(in.patterns().get(0)));
        }
        return in.values().asList().isEmpty()
                ? NEVER
                : new Condition.PathCondition(
                        path, new ValuePredicate.Equal(in.values().asList().get(0)));
    }
}
