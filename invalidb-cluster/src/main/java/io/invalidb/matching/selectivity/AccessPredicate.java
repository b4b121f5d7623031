package io.invalidb.matching.selectivity;

import io.invalidb.query.filter.NecessaryCondition;
import io.invalidb.query.filter.NecessaryConditionVisitor;
import io.invalidb.query.filter.PathConstraint;
import io.invalidb.query.filter.PathConstraintVisitor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A necessary condition of a filter by which an index finds it for a document. A document that
 * matches satisfies at least one of the constraints. A range with two bounds is weaker: only the
 * interval around all values at the path is sure to touch it. The bounds may even be inverted:
 * {@code {a: {$gt: 5, $lt: 3}}} matches {@code {a: [1, 9]}}.
 *
 * @param further a second constraint that a document has to satisfy to find the filter among many
 *     that share a value or a prefix; present only if the constraints are values or prefixes
 * @param selectivity the estimated share of documents that find the filter
 * @param prefilter another necessary condition that fails often enough to be tested before the
 *     filter
 */
public record AccessPredicate(
        List<PathConstraint> anyOf,
        @Nullable PathConstraint further,
        double selectivity,
        PathConstraint.@Nullable Range prefilter) {

    /**
     * Maximum share of documents that pass a prefilter; one that passes more is not worth its
     * memory.
     */
    private static final double MAX_PREFILTER_SELECTIVITY = 0.5;

    /** Number of filters found by one document above which two constraints are better than one. */
    private static final int MAX_CANDIDATES_PER_DOCUMENT = 16;

    /**
     * Maximum number of values of a constraint that may be combined with a second one, since each
     * value takes an entry.
     */
    private static final int MAX_SHARED_VALUES = 4;

    private static final Sharing SHARING = new Sharing();

    /** Creates an access predicate by one constraint for each document. */
    AccessPredicate(List<PathConstraint> anyOf, double selectivity) {
        this(anyOf, null, selectivity, null);
    }

    /**
     * Returns the constraint that the fewest documents of the sample satisfy; empty if every
     * document may match.
     *
     * @param filters number of filters in the index
     */
    public static Optional<AccessPredicate> of(
            NecessaryCondition necessaryCondition, DocumentSample documentSample, int filters) {
        AccessSelector selector = new AccessSelector(documentSample);
        return cheapest(
                joined(necessaryCondition.conjuncts()).stream()
                        .flatMap(part -> part.accept(selector).stream())
                        .sorted(Comparator.comparingDouble(AccessPredicate::selectivity))
                        .toList(),
                filters);
    }

    private static Optional<AccessPredicate> cheapest(List<AccessPredicate> byCost, int filters) {
        return byCost.stream()
                .findFirst()
                .map(best -> narrowed(best, byCost, filters).orElse(best).withPrefilter(byCost));
    }

    /**
     * Returns the cheapest pair of constraints, if many filters share the first and the second
     * distinguishes them.
     */
    private static Optional<AccessPredicate> narrowed(AccessPredicate best, List<AccessPredicate> byCost, int filters) {
        if (filters * best.selectivity <= MAX_CANDIDATES_PER_DOCUMENT) {
            return Optional.empty();
        }
        return byCost.stream()
                .filter(AccessPredicate::isShared)
                .findFirst()
                .flatMap(shared -> byCost.stream()
                        .filter(other -> !other.anyOf.equals(shared.anyOf) && other.anyOf.size() == 1)
                        .findFirst()
                        .map(other -> shared.and(other)))
                .filter(both -> 2 * both.selectivity < best.selectivity);
    }

    private boolean isShared() {
        return anyOf.size() == 1 && anyOf.get(0).accept(SHARING);
    }

    private AccessPredicate and(AccessPredicate other) {
        return new AccessPredicate(anyOf, other.anyOf.get(0), selectivity * other.selectivity, null);
    }

    private AccessPredicate withPrefilter(List<AccessPredicate> byCost) {
        PathConstraint.Range range = byCost.stream()
                .filter(access -> access.selectivity < MAX_PREFILTER_SELECTIVITY && !anyOf.equals(access.anyOf))
                .filter(access -> further == null || !access.anyOf.equals(List.of(further)))
                .filter(access -> access.anyOf.size() == 1)
                .flatMap(access -> access.anyOf.get(0).equivalentRange().stream())
                .findFirst()
                .orElse(null);
        return new AccessPredicate(anyOf, further, selectivity, range);
    }

    /**
     * Merges the ranges for one path to one: all bounds are necessary, even if for different
     * values.
     */
    private static List<NecessaryCondition> joined(List<NecessaryCondition> conjuncts) {
        RangeMerger merger = new RangeMerger();
        conjuncts.forEach(merger::add);
        return merger.joined();
    }

    /** Merges two ranges; one bound of each kind is sufficient. */
    private static PathConstraint.Range both(PathConstraint.Range one, PathConstraint.Range other) {
        return new PathConstraint.Range(
                one.path(),
                one.lower() != null ? one.lower() : other.lower(),
                one.upper() != null ? one.upper() : other.upper());
    }

    /** Returns whether many filters may share the constraint, with one entry for each value. */
    private static final class Sharing implements PathConstraintVisitor.WithDefault<Boolean> {

        @Override
        public Boolean visitOneOf(PathConstraint.OneOf oneOf) {
            return oneOf.anyOf().size() <= MAX_SHARED_VALUES;
        }

        @Override
        public Boolean visitPrefix(PathConstraint.Prefix prefix) {
            return true;
        }

        @Override
        public Boolean visitConstraint(PathConstraint constraint) {
            return false;
        }
    }

    /** The conditions of a conjunction, with one range for each path that has ranges. */
    private static final class RangeMerger implements NecessaryConditionVisitor.WithDefault<Boolean> {

        private final List<NecessaryCondition> others = new ArrayList<>();
        private final Map<String, PathConstraint.Range> ranges = new LinkedHashMap<>();

        private void add(NecessaryCondition part) {
            boolean unused = part.accept(this);
        }

        @Override
        public Boolean visitRange(PathConstraint.Range range) {
            ranges.merge(range.path(), range, AccessPredicate::both);
            return true;
        }

        @Override
        public Boolean visitOther(NecessaryCondition necessaryCondition) {
            return others.add(necessaryCondition);
        }

        private List<NecessaryCondition> joined() {
            others.addAll(ranges.values());
            return others;
        }
    }
}
