package io.orestes.write;

import io.orestes.model.StoredObject;
import java.time.Duration;
import java.util.Optional;

/**
 * What became of a write.
 *
 * @param resultsKept that it changed no cached query result, and for how long all of which copies live have been watched; empty if it
 *     changed one or that is not known
 */
public record AcknowledgedWrite(StoredObject stored, Optional<Duration> resultsKept) {}
