package io.orestes.logging;

import org.jspecify.annotations.Nullable;

/**
 * One retained entry of the log. Texts are as written, with any characters; long ones are cut.
 *
 * @param sequence its number, from 1, without gaps
 * @param timeMillis milliseconds since 1970
 * @param logger full name of the class that wrote it
 * @param stackTrace stack trace of the logged failure; {@code null} without one
 */
public record LogEntry(
        long sequence,
        long timeMillis,
        LogLevel level,
        String logger,
        String thread,
        String message,
        @Nullable String stackTrace) {

    LogEntry numbered(long number) {
        return new LogEntry(number, timeMillis, level, logger, thread, message, stackTrace);
    }

    int length() {
        int stackTraceLength = stackTrace == null ? 0 : stackTrace.length();
        return logger.length() + thread.length() + message.length() + stackTraceLength;
    }
}
