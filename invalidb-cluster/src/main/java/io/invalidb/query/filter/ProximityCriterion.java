package io.invalidb.query.filter;

import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.StepBudget;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/**
 * The proximity criterion of a filter: a near predicate and the path of the positions it measures.
 */
record ProximityCriterion(FieldPath path, NearPredicate test) implements Proximity {

    /**
     * Returns the criterion of a condition.
     *
     * @throws QuerySyntaxException if there are several, or one that not every result has to
     *     satisfy, or a search beside it
     */
    static Optional<ProximityCriterion> of(Condition condition) {
        List<ProximityCriterion> required = required(condition);
        if (required.size() > 1 || count(condition) > required.size()) {
            throw new QuerySyntaxException("$near stands once in a query, and not below $or, $nor, $not or $elemMatch");
        }
        if (!required.isEmpty() && Conditions.hasSearch(condition)) {
            throw new QuerySyntaxException("$near and $text do not stand in one query");
        }
        return required.stream().findFirst();
    }

    /** Returns the condition with another maximum distance. */
    static Condition within(Condition condition, double most) {
        if (condition instanceof Condition.And and) {
            return Conditions.and(
                    and.parts().stream().map(part -> within(part, most)).toList());
        }
        return condition instanceof Condition.PathCondition onPath && onPath.condition() instanceof NearPredicate near
                ? new Condition.PathCondition(onPath.path(), near.withMaxDistance(most))
                : condition;
    }

    private static List<ProximityCriterion> required(Condition condition) {
        if (condition instanceof Condition.And and) {
            return and.parts().stream().flatMap(part -> required(part).stream()).toList();
        }
        return condition instanceof Condition.PathCondition onPath && onPath.condition() instanceof NearPredicate near
                ? List.of(new ProximityCriterion(onPath.path(), near))
                : List.of();
    }

    private static int count(Condition condition) {
        if (condition instanceof Condition.And and) {
            return and.parts().stream().mapToInt(ProximityCriterion::count).sum();
        }
        if (condition instanceof Condition.Or or) {
            return or.parts().stream().mapToInt(ProximityCriterion::count).sum();
        }
        return condition instanceof Condition.PathCondition onPath ? count(onPath.condition()) : 0;
    }

    private static int count(ValuePredicate test) {
        if (test instanceof NearPredicate) {
            return 1;
        }
        if (test instanceof ValuePredicate.Not not) {
            return not.tests().stream().mapToInt(ProximityCriterion::count).sum();
        }
        if (test instanceof ValuePredicate.ValueElementMatch passing) {
            return passing.tests().stream().mapToInt(ProximityCriterion::count).sum();
        }
        if (test instanceof ValuePredicate.All all) {
            return all.tests().stream().mapToInt(ProximityCriterion::count).sum();
        }
        return test instanceof ValuePredicate.DocumentElementMatch matching ? count(matching.condition()) : 0;
    }

    @Override
    public double distance(BsonDocument document, StepBudget stepBudget) {
        return test.distance(document, path, stepBudget);
    }

    @Override
    public BsonDocument toBson() {
        return new BsonDocument(path.toString(), NormalForm.ofTests(List.of(test)));
    }
}
