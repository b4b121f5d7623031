package io.invalidb.query.filter;

import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.StepBudget;
import io.invalidb.query.text.IndexWordExtractor;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A parsed MongoDB query filter, ready to be evaluated on any number of documents from any thread.
 * Immutable. Equal filters have equal normal forms; filters that match the same documents may still
 * differ. There may be a million filters, so derived data, like the normal form, is not stored.
 */
public final class Filter {

    /** The filter that matches every document. */
    public static final Filter ALL = new Filter(Conditions.ALWAYS);

    private final Condition condition;
    private final @Nullable ProximityCriterion nearness;
    private final int hash;

    private Filter(Condition condition) {
        this(condition, condition.toBson());
    }

    private Filter(Condition condition, BsonDocument form) {
        this.condition = condition;
        this.nearness = ProximityCriterion.of(condition).orElse(null);
        this.hash = BsonEquality.hash(form);
    }

    private static Filter shallow(Condition condition) {
        BsonDocument form = condition.toBson();
        NestingDepth.requireShallow(form);
        return new Filter(condition, form);
    }

    /**
     * Parses a filter. It has at most 100 levels, also in normal form, at most 10,000 conditions
     * and 100 regular expressions of at most 1,000 characters. {@code $comment} is ignored.
     *
     * @throws QuerySyntaxException if it is malformed
     * @throws QueryNotSupportedException if it uses an operator that cannot be evaluated here, e.g.
     *     {@code $where}
     */
    public static Filter parse(BsonDocument filter) {
        NestingDepth.requireShallow(filter);
        return shallow(FilterParser.parse(filter.clone()));
    }

    /**
     * Returns whether the document is part of the result. Takes about 50 ms at most; equal filters
     * and documents always have one outcome.
     *
     * @throws BudgetExceededException if the evaluation would take too long
     */
    public boolean matches(BsonDocument document) {
        return condition.test(document, new StepBudget());
    }

    /**
     * Returns whether the document matches, within the rest of a budget.
     *
     * @throws BudgetExceededException also if too little is left
     */
    public boolean matches(BsonDocument document, PeriodicStepBudget periodicStepBudget) {
        try {
            return condition.test(document, periodicStepBudget.openShared(1));
        } finally {
            periodicStepBudget.closeShared();
        }
    }

    /**
     * Returns the filter for documents that match both.
     *
     * @throws QuerySyntaxException if it is nested deeper than {@link #parse} allows
     */
    public Filter and(Filter other) {
        return shallow(Conditions.and(List.of(condition, other.condition)));
    }

    /**
     * Returns the normal form: one for all filters that differ only in the order of conditions and
     * the like; parses back to an equal filter.
     */
    public BsonDocument normalForm() {
        return condition.toBson().clone();
    }

    /**
     * Returns a necessary condition, for finding the filter by a document; the caller still
     * evaluates {@link #matches}. It contains no words.
     */
    public NecessaryCondition necessaryCondition() {
        return lookupCondition().withoutWords();
    }

    /**
     * Returns a necessary condition, for finding documents by an index; the caller still evaluates
     * {@link #matches}.
     */
    public NecessaryCondition lookupCondition() {
        return condition.necessaryCondition("");
    }

    /**
     * Returns the filter with another one in the place of {@code $text}, for finding documents
     * without text search; empty if it searches no words. It may be nested deeper than {@link
     * #parse} allows.
     *
     * @param other returns the filter for documents that have one of these {@linkplain
     *     IndexWordExtractor words}; without any no document matches
     */
    public Optional<Filter> withoutSearch(Function<Set<String>, Filter> other) {
        return condition.hasSearch()
                ? Optional.of(
                        new Filter(condition.replaceSearch(search -> other.apply(search.indexedWords()).condition)))
                : Optional.empty();
    }

    /** Returns the path of the positions whose distance the filter measures to find the nearest. */
    public Optional<String> nearPath() {
        return Optional.ofNullable(nearness).map(near -> near.path().toString());
    }

    /**
     * Returns the filter with a smaller maximum distance; empty if it does not measure distances in
     * metres, or has a distance that is no larger.
     */
    public Optional<Filter> nearerThan(double metres) {
        return Optional.ofNullable(nearness)
                .filter(near -> near.test().metric() == NearPredicate.Metric.METRES)
                .filter(near -> near.test().maxDistance() > metres)
                .map(near -> new Filter(ProximityCriterion.within(condition, metres)));
    }

    /** Returns the proximity that the filter measures to find the nearest. */
    public Optional<Proximity> proximity() {
        return Optional.ofNullable(nearness);
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof Filter that
                        && hash == that.hash
                        && BsonEquality.isSame(condition.toBson(), that.condition.toBson()));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return condition.toBson().toJson();
    }
}
