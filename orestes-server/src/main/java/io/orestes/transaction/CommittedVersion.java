package io.orestes.transaction;

import io.orestes.model.ObjectRef;

/**
 * The version of one object that a committed transaction has written.
 *
 * @param version version that the transaction wrote
 */
public record CommittedVersion(ObjectRef ref, long version) {}
