package io.orestes.write;

import io.orestes.model.StoredObject;
import java.time.Duration;
import java.util.Optional;

/**
 * The result of an acknowledged write: the stored state, and how long query results stayed
 * unchanged.
 *
 * @param resultsUnchangedFor time for which all cached query results with live copies have been
 *     watched, if the write changed none of them; empty if it changed one or that is not known
 */
public record AcknowledgedWrite(StoredObject stored, Optional<Duration> resultsUnchangedFor) {}
