package io.orestes.store.embedded;

/**
 * A task on many objects that runs in bounded steps between the groups of mutations. So these need
 * not wait for its end.
 */
non-sealed interface IncrementalTask extends CommitterTask {

    /**
     * Does a bounded part, answers callers if that was the last, and returns whether there is more
     * to do.
     */
    boolean step(CompletionBatch completionBatch);
}
