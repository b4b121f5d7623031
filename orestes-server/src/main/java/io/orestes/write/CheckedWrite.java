package io.orestes.write;

/**
 * A write that may be committed, with the states that its checks found.
 *
 * @param prior visibility of the object before the commit
 * @param checked the operation with assertions that an active admin remains
 */
record CheckedWrite(
        ValidatedWrite validated, VisibilityReductionStage.PriorVisibility prior, AdminPreservingWrites checked) {}
