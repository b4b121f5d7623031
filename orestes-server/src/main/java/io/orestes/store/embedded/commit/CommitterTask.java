package io.orestes.store.embedded.commit;

import io.orestes.model.ApiException;
import java.util.Collection;

/** A task for the committer, executed in the order of arrival or aborted. */
public sealed interface CommitterTask permits Mutation, IncrementalTask {

    /** Fails the caller's future, because the task was not executed. */
    void abort(ApiException reason, CompletionBatch completionBatch);

    /** Adds the task to the mutations or the incremental tasks that the committer has taken. */
    void addTo(Collection<Mutation<?>> mutations, Collection<IncrementalTask> incrementalTasks);
}
