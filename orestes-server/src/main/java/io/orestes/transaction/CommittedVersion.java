package io.orestes.transaction;

import io.orestes.model.ObjectRef;

/**
 * The version of one object that a committed transaction has written.
 *
 * @param version the one that it wrote
 */
public record CommittedVersion(ObjectRef ref, long version) {}
