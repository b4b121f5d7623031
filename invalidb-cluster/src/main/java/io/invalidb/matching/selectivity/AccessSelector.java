package io.invalidb.matching.selectivity;

import io.invalidb.query.filter.NecessaryCondition;
import io.invalidb.query.filter.NecessaryConditionVisitor;
import io.invalidb.query.filter.PathConstraint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The selection of constraints for a part of a necessary condition: the most selective conjunct, or
 * one constraint for each branch. Empty if every document may match.
 */
final class AccessSelector implements NecessaryConditionVisitor.WithDefault<Optional<AccessPredicate>> {

    private final DocumentSample documentSample;

    AccessSelector(DocumentSample documentSample) {
        this.documentSample = documentSample;
    }

    @Override
    public Optional<AccessPredicate> visitAll(NecessaryCondition.All all) {
        return AccessPredicate.of(all, documentSample, 0);
    }

    @Override
    public Optional<AccessPredicate> visitAny(NecessaryCondition.Any any) {
        List<PathConstraint> anyOf = new ArrayList<>();
        double cost = 0;
        for (NecessaryCondition branch : any.branches()) {
            Optional<AccessPredicate> access = branch.accept(this);
            if (access.isEmpty()) {
                return access;
            }
            anyOf.addAll(access.get().anyOf());
            cost += access.get().selectivity();
        }
        return Optional.of(new AccessPredicate(anyOf, cost));
    }

    @Override
    public Optional<AccessPredicate> visitConstraint(PathConstraint constraint) {
        return Optional.of(new AccessPredicate(List.of(constraint), documentSample.selectivity(constraint)));
    }

    @Override
    public Optional<AccessPredicate> visitOther(NecessaryCondition necessaryCondition) {
        return Optional.empty();
    }
}
