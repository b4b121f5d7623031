package io.invalidb.query.filter;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonValue;

/** The conditions of a filter that an index ordered by the values of single fields can look up. */
final class SortedLookups implements NecessaryConditionVisitor.WithDefault<Boolean> {

    private final List<PathConstraint> found = new ArrayList<>();

    private SortedLookups() {}

    static List<PathConstraint> of(Filter filter) {
        SortedLookups lookups = new SortedLookups();
        filter.lookupCondition().conjuncts().forEach(lookups::add);
        return lookups.found;
    }

    private void add(NecessaryCondition part) {
        boolean unused = part.accept(this);
    }

    @Override
    public Boolean visitOneOf(PathConstraint.OneOf oneOf) {
        return oneOf.anyOf().stream().noneMatch(BsonValue::isArray) && found.add(oneOf);
    }

    @Override
    public Boolean visitRange(PathConstraint.Range range) {
        return found.add(range);
    }

    @Override
    public Boolean visitPrefix(PathConstraint.Prefix prefix) {
        return found.add(prefix.range());
    }

    @Override
    public Boolean visitOther(NecessaryCondition necessaryCondition) {
        return false;
    }
}
