package io.orestes.logging;

import java.util.Optional;

/**
 * One retained entry of the log. Texts are as written, with any characters; long ones are cut.
 *
 * @param sequence its number, from 1, without gaps
 * @param timeMillis milliseconds since 1970
 * @param logger full name of the class that wrote it
 * @param stackTrace stack trace of the logged failure; empty without one
 */
public record LogEntry(
        long sequence,
        long timeMillis,
        LogLevel level,
        String logger,
        String thread,
        String message,
        Optional<String> stackTrace) {

    LogEntry numbered(long number) {
        return new LogEntry(number, timeMillis, level, logger, thread, message, stackTrace);
    }

    int length() {
        return logger.length()
                + thread.length()
                + message.length()
                + stackTrace.map(String::length).orElse(0);
    }
}
