package io.orestes.model;

import io.invalidb.model.VersionStamp;

/**
 * What remains of an object that was just deleted.
 *
 * @param ref the object's address
 * @param stamp one version after its last state
 */
public record Tombstone(ObjectRef ref, VersionStamp stamp) implements WriteOutcome {}
