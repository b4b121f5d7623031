package io.orestes.ops;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The state of reading the changes that other programs write to the store, for operators: role and
 * lag.
 *
 * @param role {@code reading}, {@code following} another server that reads, or {@code interrupted}
 * @param behind writes older than this have reached all servers; {@code null} unless this server
 *     reads
 */
public record ChangeFeedState(String role, @Nullable Duration behind) {}
