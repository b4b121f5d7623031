package io.invalidb.matching.cell;

import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The last write of an object that a cell retains.
 *
 * @param arrived time of arrival in the cell
 * @param write the write; null on an unwatched bucket, for which the cell only has a note
 */
public record LastWrite(VersionStamp stamp, Instant arrived, @Nullable WriteEvent write) {}
