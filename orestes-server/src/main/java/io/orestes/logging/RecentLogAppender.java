package io.orestes.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;

/** The appender that stores log entries, cut to a maximum size, in memory. */
final class RecentLogAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {

    /** Maximum length of a message in characters; clients may contribute to messages. */
    static final int MAX_MESSAGE_LENGTH = 4_000;

    static final int MAX_STACK_TRACE_LENGTH = 16_000;
    private static final int MAX_NAME_LENGTH = 200;

    /**
     * Maximum number of frames of a failure and of each of its causes, so that a deep failure does
     * not displace its cause.
     */
    private static final int MAX_FRAMES = 50;

    private final RecentLogEntries recent;

    RecentLogAppender(RecentLogEntries recent) {
        this.recent = recent;
    }

    @Override
    protected void append(ILoggingEvent event) {
        recent.add(new LogEntry(
                0,
                event.getTimeStamp(),
                LogLevel.of(event.getLevel()),
                LogSanitizer.truncate(event.getLoggerName(), MAX_NAME_LENGTH),
                LogSanitizer.truncate(event.getThreadName(), MAX_NAME_LENGTH),
                LogSanitizer.truncate(String.valueOf(event.getFormattedMessage()), MAX_MESSAGE_LENGTH),
                StackTraceSanitizer.of(event.getThrowableProxy(), MAX_FRAMES)
                        .map(trace -> LogSanitizer.truncate(trace, MAX_STACK_TRACE_LENGTH))
                        .orElse(null)));
    }
}
