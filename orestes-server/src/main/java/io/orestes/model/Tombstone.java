package io.orestes.model;

import io.invalidb.model.VersionStamp;

/**
 * The marker of a deleted object, stamped one version after its last state.
 *
 * @param ref the object's address
 * @param stamp one version after its last state
 */
public record Tombstone(ObjectRef ref, VersionStamp stamp) implements WriteOutcome {}
