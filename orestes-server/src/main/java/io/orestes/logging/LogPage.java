package io.orestes.logging;

import java.util.List;

/**
 * Some entries of the log.
 *
 * @param entries oldest first
 * @param next where to read on
 * @param hasMore whether entries behind {@code next} were there already
 * @param lost how many entries behind the position asked for were not kept long enough to be told, whatever they were
 * @param dropped how many entries of this log are not kept any more
 */
public record LogPage(List<LogEntry> entries, LogPosition next, boolean hasMore, long lost, long dropped) {}
