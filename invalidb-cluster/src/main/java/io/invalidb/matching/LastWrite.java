package io.invalidb.matching;

import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import java.time.Instant;
import java.util.Optional;

/**
 * The last write of an object that a cell retains.
 *
 * @param arrived when it came to the cell
 * @param write what was written; absent if nobody asked for writes to the bucket, so that there is
 *     but a note
 */
public record LastWrite(VersionStamp stamp, Instant arrived, Optional<WriteEvent> write) {}
