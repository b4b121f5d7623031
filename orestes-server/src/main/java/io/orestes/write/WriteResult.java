package io.orestes.write;

import io.orestes.model.StoredObject;
import io.orestes.model.WriteOutcome;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The result of an acknowledged write: its outcome, and how long query results stayed unchanged.
 *
 * @param resultsUnchangedFor time for which all cached query results with live copies have been
 *     watched, if the write changed none of them; null if it changed one or that is not known
 */
public record WriteResult(WriteOutcome outcome, @Nullable Duration resultsUnchangedFor) {

    /** Returns the stored state of a write that was not a deletion. */
    public StoredObject stored() {
        return outcome.storedObject().orElseThrow();
    }
}
