package io.orestes.write;

import io.orestes.model.Principal;
import io.orestes.store.Batch;

/**
 * A write whose permission and body were checked.
 *
 * @param operation what the store has to do; it refuses that if the schema epoch of the class has
 *     changed
 */
record ValidatedWrite(Principal principal, WriteRequest request, Batch.StoreOperation operation) {}
