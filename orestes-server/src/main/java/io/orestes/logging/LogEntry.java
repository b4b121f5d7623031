package io.orestes.logging;

import java.util.Optional;

/**
 * One entry of the log as it is kept. Texts are as they were written, with any characters; what is
 * too long is cut.
 *
 * @param sequence its number, from 1, with none left out
 * @param timeMillis milliseconds since 1970
 * @param logger full name of the class that wrote it
 * @param stackTrace of the failure it tells of; empty if it tells of none
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
