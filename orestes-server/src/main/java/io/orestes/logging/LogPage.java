package io.orestes.logging;

import java.util.List;

/**
 * A page of log entries with the position at which to read on.
 *
 * @param entries oldest first
 * @param next where to read on
 * @param hasMore whether entries behind {@code next} were there already
 * @param lost how many entries behind the position asked for were not kept long enough to be told, whatever they were
 * @param dropped how many entries of this log are not kept any more
 */
public record LogPage(List<LogEntry> entries, LogPosition next, boolean hasMore, long lost, long dropped) {}
