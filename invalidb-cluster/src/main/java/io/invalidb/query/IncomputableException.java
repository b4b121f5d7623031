package io.invalidb.query;

/**
 * Signals that an expression met values it cannot be computed with, such as a division by zero. The
 * document does not match then.
 */
final class IncomputableException extends RuntimeException {

    IncomputableException() {
        super("The values of the document cannot be computed with", null, false, false);
    }
}
