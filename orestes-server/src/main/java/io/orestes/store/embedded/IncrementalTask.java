package io.orestes.store.embedded;

/** Work on more than one object, done in steps between the groups of mutations so that these need not wait for its end. */
non-sealed interface IncrementalTask extends CommitterTask {

    /** Does a bounded part, answers callers if that was the last, and returns whether there is more to do. */
    boolean step(CompletionBatch completionBatch);
}
