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
        List<ProximityCriterion> required = condition.conjuncts().stream()
                .flatMap(part -> part.proximity().stream())
                .toList();
        if (required.size() > 1 || condition.nearPredicates() > required.size()) {
            throw new QuerySyntaxException("$near stands once in a query, and not below $or, $nor, $not or $elemMatch");
        }
        if (!required.isEmpty() && condition.hasSearch()) {
            throw new QuerySyntaxException("$near and $text do not stand in one query");
        }
        return required.stream().findFirst();
    }

    /** Returns the condition with another maximum distance. */
    static Condition within(Condition condition, double maxDistance) {
        return Conditions.and(condition.conjuncts().stream()
                .map(part ->
                        part.proximity().map(near -> near.within(maxDistance)).orElse(part))
                .toList());
    }

    private Condition within(double maxDistance) {
        return new Condition.PathCondition(path, test.withMaxDistance(maxDistance));
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
