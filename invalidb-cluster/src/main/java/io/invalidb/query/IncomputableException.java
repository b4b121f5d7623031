package io.invalidb.query;

/** A formula met values that it cannot be computed with, e.g. a division by zero; the document does not match then. */
final class IncomputableException extends RuntimeException {

    IncomputableException() {
        super("The values of the document cannot be computed with", null, false, false);
    }
}
