package io.orestes.store.embedded.commit;

import io.orestes.model.ApiException;

/** A task for the committer, executed in the order of arrival or aborted. */
public sealed interface CommitterTask permits Mutation, IncrementalTask {

    /** Fails the caller's future, because the task was not executed. */
    void abort(ApiException reason, CompletionBatch completionBatch);
}
