package io.orestes.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;

/** The appender that stores log entries, cut to a maximum size, in memory. */
final class RecentLogAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {

    /** Maximum length of a message in characters; clients may contribute to messages. */
    static final int LONGEST_MESSAGE = 4_000;

    static final int LONGEST_STACK_TRACE = 16_000;
    private static final int LONGEST_NAME = 200;

    /**
     * Maximum number of frames of a failure and of each of its causes, so that a deep failure does
     * not displace its cause.
     */
    private static final int MOST_FRAMES = 50;

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
                LogSanitizer.cut(event.getLoggerName(), LONGEST_NAME),
                LogSanitizer.cut(event.getThreadName(), LONGEST_NAME),
                LogSanitizer.cut(String.valueOf(event.getFormattedMessage()), LONGEST_MESSAGE),
                StackTraceFormatter.of(event.getThrowableProxy(), MOST_FRAMES)
                        .map(trace -> LogSanitizer.cut(trace, LONGEST_STACK_TRACE))));
    }
}
