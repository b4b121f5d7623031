package io.invalidb.query.filter;

import java.util.List;
import org.bson.BsonValue;

/** The conditions of a filter that an index ordered by the values of single fields can look up. */
final class SortedLookups {

    private SortedLookups() {}

    static List<PathConstraint> of(Filter filter) {
        NecessaryCondition all = filter.lookupCondition();
        List<NecessaryCondition> parts = all instanceof NecessaryCondition.All several ? several.parts() : List.of(all);
        return parts.stream()
                .map(part -> part instanceof PathConstraint.Prefix prefix ? prefix.range() : part)
                .filter(SortedLookups::isSorted)
                .map(PathConstraint.class::cast)
                .toList();
    }

    private static boolean isSorted(NecessaryCondition part) {
        return part instanceof PathConstraint.Range
                || (part instanceof PathConstraint.OneOf oneOf
                        && oneOf.anyOf().stream().noneMatch(BsonValue::isArray));
    }
}
