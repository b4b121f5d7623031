package io.invalidb.matching;

import io.invalidb.query.PathConstraint;
import io.invalidb.query.Requirement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A necessary condition by which an index finds a filter: a document that matches satisfies at least one of these constraints, but for
 * a range with two bounds, of which it may only be known that the interval around all values at the path touches it. (The
 * bounds may even be inverted: {@code {a: {$gt: 5, $lt: 3}}} matches {@code {a: [1, 9]}}.)
 *
 * @param cost the estimated share of documents that satisfy it
 */
record Access(List<PathConstraint> anyOf, double cost) {

    /** The one that the fewest documents of the sample satisfy; empty if every document may match. */
    static Optional<Access> of(Requirement requirement, Sample sample) {
        if (requirement instanceof Requirement.All all) {
            return joined(all).stream()
                    .flatMap(part -> of(part, sample).stream())
                    .min(Comparator.comparingDouble(Access::cost));
        }
        if (requirement instanceof Requirement.Any any) {
            return ofBranches(any.branches(), sample);
        }
        PathConstraint constraint = (PathConstraint) requirement;
        return Optional.of(new Access(List.of(constraint), sample.share(constraint)));
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
        return Optional.of(new Access(anyOf, cost));
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
