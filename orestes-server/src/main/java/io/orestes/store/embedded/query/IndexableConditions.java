package io.orestes.store.embedded.query;

import io.invalidb.query.filter.NecessaryCondition;
import io.invalidb.query.filter.NecessaryConditionVisitor;
import io.invalidb.query.filter.PathConstraint;
import java.util.ArrayList;
import java.util.List;

/**
 * The conditions that all objects of a result fulfil, by kind. Prefixes are ranges, since indexes
 * are ordered.
 */
final class IndexableConditions implements NecessaryConditionVisitor<Boolean> {

    private final List<PathConstraint.OneOf> equalities = new ArrayList<>();
    private final List<PathConstraint.Range> ranges = new ArrayList<>();
    private final List<PathConstraint.Area> areas = new ArrayList<>();
    private final List<NecessaryCondition.Words> words = new ArrayList<>();
    private final List<NecessaryCondition.Any> disjunctions = new ArrayList<>();

    private IndexableConditions() {}

    static IndexableConditions of(NecessaryCondition necessaryCondition) {
        IndexableConditions conditions = new IndexableConditions();
        boolean unused = necessaryCondition.accept(conditions);
        return conditions;
    }

    List<PathConstraint.OneOf> equalities() {
        return equalities;
    }

    List<PathConstraint.Range> ranges() {
        return ranges;
    }

    List<PathConstraint.Area> areas() {
        return areas;
    }

    List<NecessaryCondition.Words> words() {
        return words;
    }

    List<NecessaryCondition.Any> disjunctions() {
        return disjunctions;
    }

    @Override
    public Boolean visitAll(NecessaryCondition.All all) {
        all.parts().forEach(part -> {
            boolean unused = part.accept(this);
        });
        return true;
    }

    @Override
    public Boolean visitAny(NecessaryCondition.Any any) {
        return disjunctions.add(any);
    }

    @Override
    public Boolean visitWords(NecessaryCondition.Words condition) {
        return words.add(condition);
    }

    @Override
    public Boolean visitOneOf(PathConstraint.OneOf oneOf) {
        return equalities.add(oneOf);
    }

    @Override
    public Boolean visitRange(PathConstraint.Range range) {
        return ranges.add(range);
    }

    @Override
    public Boolean visitPrefix(PathConstraint.Prefix prefix) {
        return ranges.add(prefix.range());
    }

    @Override
    public Boolean visitArea(PathConstraint.Area area) {
        return areas.add(area);
    }
}
