package io.invalidb.matching;

import io.invalidb.query.Filter;
import io.invalidb.query.PathConstraint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A necessary condition by which an index finds a query: of a document that matches, the interval around its values at the
 * path begins at or before the end of one of these intervals, and ends at or after its beginning. (An interval may
 * be inverted: {@code {a: {$gt: 5, $lt: 3}}} matches {@code {a: [1, 9]}}.)
 *
 * @param selectivity the smaller, the fewer documents are likely to satisfy it
 */
record Access(String path, List<Interval> intervals, int selectivity) {

    /** The most selective one of a filter; empty if every document may match. */
    static Optional<Access> of(Filter filter) {
        List<Access> candidates = new ArrayList<>();
        Map<String, Access> ranges = new LinkedHashMap<>();
        for (PathConstraint constraint : filter.constraints()) {
            if (constraint instanceof PathConstraint.OneOf oneOf) {
                candidates.add(of(oneOf));
            } else if (constraint instanceof PathConstraint.Range range) {
                ranges.merge(range.path(), of(range), Access::both);
            }
        }
        candidates.addAll(ranges.values());
        return candidates.stream().min(Comparator.comparingInt(Access::selectivity));
    }

    private static Access of(PathConstraint.OneOf oneOf) {
        return new Access(
                oneOf.path(), oneOf.anyOf().stream().map(Interval::point).toList(), 0);
    }

    private static Access of(PathConstraint.Range range) {
        return ofRange(
                range.path(),
                new Interval(
                        range.lower().orElse(Interval.ALL.lower()),
                        range.upper().orElse(Interval.ALL.upper())));
    }

    private static Access ofRange(String path, Interval interval) {
        boolean isOpen = interval.lower() == Interval.ALL.lower() || interval.upper() == Interval.ALL.upper();
        return new Access(path, List.of(interval), isOpen ? 2 : 1);
    }

    /** Two ranges of one path: both bounds are necessary, be it for different values. */
    private Access both(Access other) {
        Interval mine = intervals.get(0);
        Interval theirs = other.intervals.get(0);
        return ofRange(
                path,
                new Interval(Interval.max(mine.lower(), theirs.lower()), Interval.min(mine.upper(), theirs.upper())));
    }
}
