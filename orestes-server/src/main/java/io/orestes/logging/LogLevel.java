package io.orestes.logging;

import ch.qos.logback.classic.Level;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The severity levels of log entries, most severe first. */
public enum LogLevel {
    ERROR,
    WARN,
    INFO,
    DEBUG,
    TRACE;

    /** Returns the name in requests and responses. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the level of that name; empty if there is none. */
    public static Optional<LogLevel> of(String key) {
        return Arrays.stream(values()).filter(level -> level.key().equals(key)).findFirst();
    }

    static LogLevel of(Level level) {
        return switch (level.toInt()) {
            case Level.ERROR_INT -> ERROR;
            case Level.WARN_INT -> WARN;
            case Level.INFO_INT -> INFO;
            case Level.DEBUG_INT -> DEBUG;
            default -> TRACE;
        };
    }
}
