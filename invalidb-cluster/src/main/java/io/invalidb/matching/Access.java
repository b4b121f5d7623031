package io.invalidb.matching;

import io.invalidb.query.PathConstraint;
import io.invalidb.query.Requirement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonValue;

/**
 * A necessary condition by which an index finds a filter: a document that matches satisfies at least one of these constraints, but for
 * a range with two bounds, of which it may only be known that the interval around all values at the path touches it. (The
 * bounds may even be inverted: {@code {a: {$gt: 5, $lt: 3}}} matches {@code {a: [1, 9]}}.)
 *
 * @param cost the estimated share of documents that satisfy it
 * @param guard another necessary condition, in the same sense, that fails often enough to be tried before the filter
 */
record Access(List<PathConstraint> anyOf, double cost, Optional<PathConstraint.Range> guard) {

    /** A guard that lets more documents pass than that would not be worth its memory. */
    private static final double MOST_PASSED = 0.5;

    /** The one that the fewest documents of the sample satisfy; empty if every document may match. */
    static Optional<Access> of(Requirement requirement, Sample sample) {
        if (requirement instanceof Requirement.All all) {
            return cheapest(joined(all).stream()
                    .flatMap(part -> of(part, sample).stream())
                    .sorted(Comparator.comparingDouble(Access::cost))
                    .toList());
        }
        if (requirement instanceof Requirement.Any any) {
            return ofBranches(any.branches(), sample);
        }
        PathConstraint constraint = (PathConstraint) requirement;
        return Optional.of(new Access(List.of(constraint), sample.share(constraint), Optional.empty()));
    }

    private static Optional<Access> cheapest(List<Access> byCost) {
        return byCost.stream()
                .findFirst()
                .map(best -> new Access(
                        best.anyOf,
                        best.cost,
                        byCost.stream()
                                .skip(1)
                                .filter(access -> access.cost < MOST_PASSED)
                                .flatMap(access -> access.asRange().stream())
                                .findFirst()));
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

    /** Each branch has one of its own. */
    private static Optional<Access> ofBranches(List<Requirement> branches, Sample sample) {
        List<PathConstraint> anyOf = new ArrayList<>();
        double cost = 0;
        for (Requirement branch : branches) {
            Optional<Access> access = of(branch, sample);
            if (access.isEmpty()) {
                return access;
            }
            anyOf.addAll(access.get().anyOf);
            cost += access.get().cost;
        }
        return Optional.of(new Access(anyOf, cost, Optional.empty()));
    }

    /** With one range instead of several for one path: all bounds are necessary, be it for different values. */
    private static List<Requirement> joined(Requirement.All all) {
        List<Requirement> parts = new ArrayList<>();
        Map<String, PathConstraint.Range> ranges = new LinkedHashMap<>();
        for (Requirement part : all.parts()) {
            if (part instanceof PathConstraint.Range range) {
                ranges.merge(range.path(), range, Access::both);
            } else {
                parts.add(part);
            }
        }
        parts.addAll(ranges.values());
        return parts;
    }

    /** One bound of each kind is enough. */
    private static PathConstraint.Range both(PathConstraint.Range one, PathConstraint.Range other) {
        return new PathConstraint.Range(
                one.path(),
                one.lower().isPresent() ? one.lower() : other.lower(),
                one.upper().isPresent() ? one.upper() : other.upper());
    }
}
