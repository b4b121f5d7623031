package io.orestes.store.embedded;

/**
 * A signal that a mutation is too expensive for the committer and has to be prepared first. Never
 * leaves the store.
 */
final class PreparationRequiredException extends RuntimeException {

    PreparationRequiredException() {
        super("To be prepared first", null, false, false);
    }
}
