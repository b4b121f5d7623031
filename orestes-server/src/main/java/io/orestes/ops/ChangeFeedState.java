package io.orestes.ops;

import java.time.Duration;
import java.util.Optional;

/**
 * What operators are told of how a server learns of what other programs write to the store.
 *
 * @param role {@code reading}, {@code following} another server that reads, or {@code interrupted}
 * @param behind what was written longer ago was told to all servers; empty unless this server reads
 */
public record ChangeFeedState(String role, Optional<Duration> behind) {}
