package io.orestes.store.embedded.commit;

import java.util.Collection;

/**
 * A task on many objects that runs in bounded steps between the groups of mutations, which
 * therefore need not wait for its end.
 */
public non-sealed interface IncrementalTask extends CommitterTask {

    /**
     * Executes a bounded part, and completes the futures of callers if that was the last. Returns
     * true if there is more to do.
     */
    boolean step(CompletionBatch completionBatch);

    @Override
    default void addTo(Collection<Mutation<?>> mutations, Collection<IncrementalTask> incrementalTasks) {
        incrementalTasks.add(this);
    }
}
