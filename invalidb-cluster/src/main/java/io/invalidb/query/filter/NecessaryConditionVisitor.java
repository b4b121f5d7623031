package io.invalidb.query.filter;

/**
 * A visitor of necessary conditions, with a method for each kind.
 *
 * @param <R> the answer
 */
public interface NecessaryConditionVisitor<R> extends PathConstraintVisitor<R> {

    R visitAll(NecessaryCondition.All all);

    R visitAny(NecessaryCondition.Any any);

    R visitWords(NecessaryCondition.Words words);

    /** A visitor with one answer for all kinds whose methods are not overridden. */
    interface WithDefault<R> extends NecessaryConditionVisitor<R>, PathConstraintVisitor.WithDefault<R> {

        /** Returns the answer for the other kinds. */
        R visitOther(NecessaryCondition necessaryCondition);

        @Override
        default R visitConstraint(PathConstraint constraint) {
            return visitOther(constraint);
        }

        @Override
        default R visitAll(NecessaryCondition.All all) {
            return visitOther(all);
        }

        @Override
        default R visitAny(NecessaryCondition.Any any) {
            return visitOther(any);
        }

        @Override
        default R visitWords(NecessaryCondition.Words words) {
            return visitOther(words);
        }
    }
}
