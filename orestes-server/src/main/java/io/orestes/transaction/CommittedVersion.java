package io.orestes.transaction;

import io.orestes.model.ObjectRef;

/**
 * An object that a transaction left behind.
 *
 * @param version the one that it wrote
 */
public record CommittedVersion(ObjectRef ref, long version) {}
