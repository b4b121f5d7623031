package io.orestes.logging;

import java.util.List;

/**
 * A page of log entries with the position of the next page.
 *
 * @param entries oldest first
 * @param next position of the next page
 * @param hasMore true if entries behind {@code next} existed already
 * @param lost number of entries behind the requested position that were evicted before they could
 *     be read, whether or not they match
 * @param dropped number of entries of this log that were evicted
 */
public record LogPage(List<LogEntry> entries, LogPosition next, boolean hasMore, long lost, long dropped) {}
