package io.orestes.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;

/**
 * The encoder of a log entry as one line, with its stack trace on the lines below. The line has the
 * form {@code 2026-03-01T09:30:00.000Z WARN  [thread] Class: message}. A line that begins with a
 * time is always the start of an entry, whatever text is logged. Thread-safe.
 */
final class LineEncoder extends EncoderBase<ILoggingEvent> {

    /** Maximum number of stack frames, as many as Java stores. */
    private static final int MAX_FRAMES = 1024;

    /** Format of times: UTC, always with milliseconds. */
    private static final DateTimeFormatter TIME =
            new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

    private static final byte[] NOTHING = {};

    @Override
    public byte[] headerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(200);
        TIME.formatTo(Instant.ofEpochMilli(event.getTimeStamp()), line);
        String level = event.getLevel().toString();
        line.append(' ').append(level).append(" ".repeat(Math.max(1, 6 - level.length())));
        line.append('[').append(LogSanitizer.onOneLine(event.getThreadName())).append("] ");
        line.append(shortName(event.getLoggerName())).append(": ");
        line.append(LogSanitizer.onOneLine(String.valueOf(event.getFormattedMessage())))
                .append('\n');
        StackTraceFormatter.of(event.getThrowableProxy(), MAX_FRAMES)
                .ifPresent(trace -> line.append(trace).append('\n'));
        return line.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] footerBytes() {
        return NOTHING;
    }

    private static String shortName(String logger) {
        return LogSanitizer.onOneLine(logger.substring(logger.lastIndexOf('.') + 1));
    }
}
