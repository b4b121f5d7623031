package io.orestes.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;

/** The appender that keeps log entries, cut to a maximum size, in memory. */
final class RecentLogAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {

    /** In characters; clients may have a part in messages. */
    static final int LONGEST_MESSAGE = 4_000;

    static final int LONGEST_STACK_TRACE = 16_000;
    private static final int LONGEST_NAME = 200;

    /** Of a failure and of each of its causes, so that a deep one does not push its cause out. */
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
