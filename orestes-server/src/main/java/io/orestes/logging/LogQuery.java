package io.orestes.logging;

import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A query on the retained log entries by position, level and contained text.
 *
 * @param after returns entries behind that position, oldest first; {@code null}, or a position
 *     in another log, for the newest
 * @param least lowest level of the returned entries
 * @param contains a text in message, stack trace, logger or thread, ignoring case; empty for any
 *     entry
 * @param limit maximum number of entries
 */
public record LogQuery(@Nullable LogPosition after, LogLevel least, String contains, int limit) {

    /** Returns whether an entry matches. */
    Predicate<LogEntry> matches() {
        if (contains.isEmpty()) {
            return this::isOfLevel;
        }
        Pattern wanted = Pattern.compile(contains, Pattern.LITERAL | Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
        return entry -> isOfLevel(entry)
                && (isIn(wanted, entry.message())
                        || isIn(wanted, entry.logger())
                        || isIn(wanted, entry.thread())
                        || (entry.stackTrace() != null && isIn(wanted, entry.stackTrace())));
    }

    private boolean isOfLevel(LogEntry entry) {
        return entry.level().compareTo(least) <= 0;
    }

    private static boolean isIn(Pattern wanted, String text) {
        return wanted.matcher(text).find();
    }
}
