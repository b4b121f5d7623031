package io.invalidb.query;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.bson.BsonDocument;

/**
 * A parsed MongoDB query filter, ready to be evaluated on any number of documents from any thread.
 * Immutable. Equal filters have equal normal forms; filters that match the same documents may still
 * differ. There may be a million filters, so what can be derived again, like the normal form, is
 * not stored.
 */
public final class Filter {

    /** Matches every document. */
    public static final Filter ALL = new Filter(Conditions.ALWAYS);

    private final Condition condition;
    private final Optional<ProximityCriterion> nearness;
    private final int hash;

    private Filter(Condition condition) {
        this(condition, condition.toBson());
    }

    private Filter(Condition condition, BsonDocument form) {
        this.condition = condition;
        this.nearness = ProximityCriterion.of(condition);
        this.hash = ExactEquality.hash(form);
    }

    private static Filter shallow(Condition condition) {
        BsonDocument form = condition.toBson();
        NestingDepth.requireShallow(form);
        return new Filter(condition, form);
    }

    /**
     * Parses a filter. At most 100 levels deep, also in normal form, with at most 10,000 conditions
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
     * Whether the document is part of the result. Takes some 50 ms at most; the same filter and
     * document always end alike.
     *
     * @throws BudgetExceededException if that would take too long
     */
    public boolean matches(BsonDocument document) {
        return condition.test(document, new StepBudget());
    }

    /**
     * The same within what is left of an allowance.
     *
     * @throws BudgetExceededException also if too little is left
     */
    public boolean matches(BsonDocument document, CellBudget cellBudget) {
        return cellBudget.test(condition, document);
    }

    /**
     * The filter that matches what both match.
     *
     * @throws QuerySyntaxException if it is nested deeper than {@link #parse} allows
     */
    public Filter and(Filter other) {
        return shallow(Conditions.and(List.of(condition, other.condition)));
    }

    /**
     * One spelling for all filters that differ only in the order of conditions and the like; parses
     * back to an equal filter.
     */
    public BsonDocument normalForm() {
        return condition.toBson().clone();
    }

    /**
     * A necessary condition, for finding the filter by a document; the caller still evaluates
     * {@link #matches}. It speaks of no words.
     */
    public NecessaryCondition requirement() {
        return NecessaryConditions.withoutWords(lookups());
    }

    /**
     * A necessary condition, for finding documents by an index; the caller still evaluates {@link
     * #matches}.
     */
    public NecessaryCondition lookups() {
        return NecessaryConditions.of(condition);
    }

    /**
     * The same filter with another one in the place of {@code $text}, for finding documents where
     * that is not known; empty if it searches no words. It may be nested deeper than {@link #parse}
     * allows.
     *
     * @param other what a document fulfils that has one of these {@linkplain DocumentWords words};
     *     without any no document matches
     */
    public Optional<Filter> withoutSearch(Function<Set<String>, Filter> other) {
        return TextSearch.isIn(condition)
                ? Optional.of(new Filter(
                        TextSearch.replaced(condition, search -> other.apply(search.indexedWords()).condition)))
                : Optional.empty();
    }

    /** The path whose places the filter measures the distance of, in order to find the nearest. */
    public Optional<String> nearPath() {
        return nearness.map(near -> near.path().toString());
    }

    /**
     * The same filter with a smaller largest distance; empty if it does not measure distances in
     * metres, or has a distance that is no larger.
     */
    public Optional<Filter> nearerThan(double metres) {
        return nearness.filter(near -> near.test().metric() == NearPredicate.Metric.METRES)
                .filter(near -> near.test().most() > metres)
                .map(near -> new Filter(ProximityCriterion.within(condition, metres)));
    }

    /**
     * The order of results that the filter itself asks for, unless a query says otherwise: nearest
     * first.
     */
    public Optional<SortOrder> order() {
        return nearness.map(SortOrder::nearest);
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof Filter that
                        && hash == that.hash
                        && ExactEquality.isSame(condition.toBson(), that.condition.toBson()));
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
