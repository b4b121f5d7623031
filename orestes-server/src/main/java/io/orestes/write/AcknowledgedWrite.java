package io.orestes.write;

import io.orestes.model.StoredObject;
import java.time.Duration;
import java.util.Optional;

/**
 * The result of an acknowledged write: the stored state, and how long query results stayed
 * unchanged.
 *
 * @param resultsKept that it changed no cached query result, and for how long all of which copies
 *     live have been watched; empty if it changed one or that is not known
 */
public record AcknowledgedWrite(StoredObject stored, Optional<Duration> resultsKept) {}
