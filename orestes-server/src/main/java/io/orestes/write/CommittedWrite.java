package io.orestes.write;

import io.orestes.model.StoredObject;
import io.orestes.model.WriteOutcome;

/**
 * A committed write that caches, queries and other servers have to learn of.
 *
 * @param prior visibility of the object before the commit
 */
record CommittedWrite(WriteOutcome outcome, VisibilityReductionStage.PriorVisibility prior) {

    /** Returns a write whose caller does not promise that it hid the object. */
    static CommittedWrite of(WriteOutcome outcome) {
        return new CommittedWrite(outcome, VisibilityReductionStage.PriorVisibility.IRRELEVANT);
    }

    /** Returns the last write of an object, which may not have been published. */
    static CommittedWrite republished(StoredObject stored) {
        return new CommittedWrite(stored, VisibilityReductionStage.PriorVisibility.forRepublication(stored));
    }
}
