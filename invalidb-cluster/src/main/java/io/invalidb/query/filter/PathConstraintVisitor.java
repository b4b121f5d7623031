package io.invalidb.query.filter;

/**
 * A visitor of path constraints, with a method for each kind.
 *
 * @param <R> the answer
 */
public interface PathConstraintVisitor<R> {

    R visitOneOf(PathConstraint.OneOf oneOf);

    R visitRange(PathConstraint.Range range);

    R visitPrefix(PathConstraint.Prefix prefix);

    R visitArea(PathConstraint.Area area);

    /** A visitor with one answer for all kinds whose methods are not overridden. */
    interface WithDefault<R> extends PathConstraintVisitor<R> {

        /** Returns the answer for the other kinds. */
        R visitConstraint(PathConstraint constraint);

        @Override
        default R visitOneOf(PathConstraint.OneOf oneOf) {
            return visitConstraint(oneOf);
        }

        @Override
        default R visitRange(PathConstraint.Range range) {
            return visitConstraint(range);
        }

        @Override
        default R visitPrefix(PathConstraint.Prefix prefix) {
            return visitConstraint(prefix);
        }

        @Override
        default R visitArea(PathConstraint.Area area) {
            return visitConstraint(area);
        }
    }
}
