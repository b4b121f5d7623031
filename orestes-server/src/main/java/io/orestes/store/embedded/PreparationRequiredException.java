package io.orestes.store.embedded;

/** A mutation that would hold up all others and has added nothing; it is evaluated again when it is prepared. Never leaves the store. */
final class PreparationRequiredException extends RuntimeException {

    PreparationRequiredException() {
        super("To be prepared first", null, false, false);
    }
}
