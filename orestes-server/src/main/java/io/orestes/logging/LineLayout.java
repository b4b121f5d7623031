package io.orestes.logging;

import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.pattern.ThrowableHandlingConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.pattern.CompositeConverter;
import java.nio.charset.StandardCharsets;

/**
 * The layout of a log entry as one line, with its stack trace on the lines below. The line has the
 * form {@code 2026-03-01T09:30:00.000Z WARN  [thread] Class: message}. A line that begins with a
 * time is always the start of an entry, whatever text is logged.
 */
final class LineLayout {

    /**
     * The pattern for logback. Its line break is the same on all platforms, unlike that of {@code
     * %n}.
     */
    private static final String PATTERN =
            "%d{\"yyyy-MM-dd'T'HH:mm:ss.SSS'Z'\", UTC} %-5level %oneLine([%thread] %logger{0}: %msg)\n%stackTrace";

    /** Maximum number of stack frames, as many as Java stores. */
    private static final int MAX_FRAMES = 1024;

    private LineLayout() {}

    /** Returns a started encoder of entries in this layout, as UTF-8; thread-safe. */
    static Encoder<ILoggingEvent> encoder(Context context) {
        LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        encoder.setContext(context);
        encoder.setCharset(StandardCharsets.UTF_8);
        encoder.setLayout(layout(context));
        encoder.start();
        return encoder;
    }

    private static PatternLayout layout(Context context) {
        PatternLayout layout = new PatternLayout();
        layout.setContext(context);
        layout.getInstanceConverterMap().put("oneLine", OneLine::new);
        layout.getInstanceConverterMap().put("stackTrace", StackTrace::new);
        layout.setPattern(PATTERN);
        layout.start();
        return layout;
    }

    /** The converter that escapes the texts inside its parentheses. */
    private static final class OneLine extends CompositeConverter<ILoggingEvent> {

        @Override
        protected String transform(ILoggingEvent event, String text) {
            return LogSanitizer.onOneLine(text);
        }
    }

    /**
     * The converter of the logged failure. As it handles throwables, logback does not append its
     * own stack trace, which does not escape messages.
     */
    private static final class StackTrace extends ThrowableHandlingConverter {

        @Override
        public String convert(ILoggingEvent event) {
            return StackTraceSanitizer.of(event.getThrowableProxy(), MAX_FRAMES)
                    .map(trace -> trace + "\n")
                    .orElse("");
        }
    }
}
