package io.orestes.logging;

import java.util.List;

/**
 * A page of log entries with the position at which to read on.
 *
 * @param entries oldest first
 * @param next where to read on
 * @param hasMore whether entries behind {@code next} existed already
 * @param lost number of entries behind the requested position that were evicted before they could
 *     be read, whether or not they match
 * @param dropped number of entries of this log that were evicted
 */
public record LogPage(List<LogEntry> entries, LogPosition next, boolean hasMore, long lost, long dropped) {}
