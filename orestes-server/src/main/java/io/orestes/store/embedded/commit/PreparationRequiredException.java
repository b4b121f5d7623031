package io.orestes.store.embedded.commit;

/**
 * A signal that a mutation is too expensive for the committer and has to be prepared first. The
 * mutation has added nothing, and is evaluated again when it is prepared. Never leaves the store.
 */
final class PreparationRequiredException extends RuntimeException {

    PreparationRequiredException() {
        super("The mutation has to be prepared first", null, false, false);
    }
}
