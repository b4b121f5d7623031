package io.orestes.store.embedded;

import io.orestes.model.ApiException;

/** Something the committer does, in the order of arrival. */
sealed interface CommitterTask permits Mutation, IncrementalTask {

    /** Answers the caller that it was not done. */
    void abort(ApiException reason, CompletionBatch completionBatch);
}
