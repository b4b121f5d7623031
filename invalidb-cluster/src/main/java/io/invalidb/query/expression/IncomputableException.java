package io.invalidb.query.expression;

/**
 * Signals that an expression cannot be computed with its values, such as a division by zero. The
 * document does not match then.
 */
public final class IncomputableException extends RuntimeException {

    IncomputableException() {
        super("An expression cannot be computed with the values of the document", null, false, false);
    }
}
