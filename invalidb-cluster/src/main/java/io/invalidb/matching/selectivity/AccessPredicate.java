package io.invalidb.matching.selectivity;

import io.invalidb.query.filter.NecessaryCondition;
import io.invalidb.query.filter.PathConstraint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonValue;

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
        Optional<PathConstraint> further,
        double selectivity,
        Optional<PathConstraint.Range> prefilter) {

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

    /**
     * Returns the constraint that the fewest documents of the sample satisfy; empty if every
     * document may match.
     *
     * @param filters number of filters in the index
     */
    public static Optional<AccessPredicate> of(
            NecessaryCondition necessaryCondition, DocumentSample documentSample, int filters) {
        if (necessaryCondition instanceof NecessaryCondition.All all) {
            return cheapest(
                    joined(all).stream()
                            .flatMap(part -> of(part, documentSample).stream())
                            .sorted(Comparator.comparingDouble(AccessPredicate::selectivity))
                            .toList(),
                    filters);
        }
        return of(necessaryCondition, documentSample);
    }

    private static Optional<AccessPredicate> of(NecessaryCondition necessaryCondition, DocumentSample documentSample) {
        if (necessaryCondition instanceof NecessaryCondition.All all) {
            return of(all, documentSample, 0);
        }
        if (necessaryCondition instanceof NecessaryCondition.Any any) {
            return ofBranches(any.branches(), documentSample);
        }
        PathConstraint constraint = (PathConstraint) necessaryCondition;
        return Optional.of(new AccessPredicate(
                List.of(constraint), Optional.empty(), documentSample.selectivity(constraint), Optional.empty()));
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
        PathConstraint first = anyOf.size() == 1 ? anyOf.get(0) : null;
        return first instanceof PathConstraint.OneOf oneOf
                ? oneOf.anyOf().size() <= MAX_SHARED_VALUES
                : first instanceof PathConstraint.Prefix;
    }

    private AccessPredicate and(AccessPredicate other) {
        return new AccessPredicate(
                anyOf, Optional.of(other.anyOf.get(0)), selectivity * other.selectivity, Optional.empty());
    }

    private AccessPredicate withPrefilter(List<AccessPredicate> byCost) {
        Optional<PathConstraint.Range> range = byCost.stream()
                .filter(access -> access.selectivity < MAX_PREFILTER_SELECTIVITY && !anyOf.equals(access.anyOf))
                .filter(access -> further.isEmpty() || !access.anyOf.equals(List.of(further.get())))
                .flatMap(access -> access.asRange().stream())
                .findFirst();
        return new AccessPredicate(anyOf, further, selectivity, range);
    }

    private Optional<PathConstraint.Range> asRange() {
        PathConstraint first = anyOf.size() == 1 ? anyOf.get(0) : null;
        if (first instanceof PathConstraint.Prefix prefix) {
            return Optional.of(prefix.range());
        }
        if (first instanceof PathConstraint.OneOf oneOf && oneOf.anyOf().size() == 1) {
            Optional<BsonValue> value = Optional.of(oneOf.anyOf().get(0));
            return Optional.of(new PathConstraint.Range(oneOf.path(), value, value));
        }
        return first instanceof PathConstraint.Range range ? Optional.of(range) : Optional.empty();
    }

    /** Returns one access predicate for each branch. */
    private static Optional<AccessPredicate> ofBranches(
            List<NecessaryCondition> branches, DocumentSample documentSample) {
        List<PathConstraint> anyOf = new ArrayList<>();
        double cost = 0;
        for (NecessaryCondition branch : branches) {
            Optional<AccessPredicate> access = of(branch, documentSample);
            if (access.isEmpty()) {
                return access;
            }
            anyOf.addAll(access.get().anyOf);
            cost += access.get().selectivity;
        }
        return Optional.of(new AccessPredicate(anyOf, Optional.empty(), cost, Optional.empty()));
    }

    /**
     * Merges the ranges for one path to one: all bounds are necessary, even if for different
     * values.
     */
    private static List<NecessaryCondition> joined(NecessaryCondition.All all) {
        List<NecessaryCondition> parts = new ArrayList<>();
        Map<String, PathConstraint.Range> ranges = new LinkedHashMap<>();
        for (NecessaryCondition part : all.parts()) {
            if (part instanceof PathConstraint.Range range) {
                ranges.merge(range.path(), range, AccessPredicate::both);
            } else {
                parts.add(part);
            }
        }
        parts.addAll(ranges.values());
        return parts;
    }

    /** Merges two ranges; one bound of each kind is sufficient. */
    private static PathConstraint.Range both(PathConstraint.Range one, PathConstraint.Range other) {
        return new PathConstraint.Range(
                one.path(),
                one.lower().isPresent() ? one.lower() : other.lower(),
                one.upper().isPresent() ? one.upper() : other.upper());
    }
}
