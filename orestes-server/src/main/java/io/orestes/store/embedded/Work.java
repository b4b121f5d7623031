package io.orestes.store.embedded;

import io.orestes.model.ApiException;

/** Something the committer does, in the order of arrival. */
sealed interface Work permits Mutation, Chore {

    /** Answers the caller that it was not done. */
    void abort(ApiException reason, Replies replies);
}
