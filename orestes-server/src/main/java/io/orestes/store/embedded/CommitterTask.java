package io.orestes.store.embedded;

import io.orestes.model.ApiException;

/** A task for the committer, executed in the order of arrival or aborted. */
sealed interface CommitterTask permits Mutation, IncrementalTask {

    /** Answers the caller that it was not done. */
    void abort(ApiException reason, CompletionBatch completionBatch);
}
