package io.orestes.logging;

import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The sanitizer of stack traces, which prints each message on one line, against log injection.
 * Otherwise it prints failures like Java. No message can look like another frame or another entry.
 */
final class StackTraceSanitizer {

    private final StringBuilder out = new StringBuilder();
    private final int maxFrames;

    private StackTraceSanitizer(int mostFrames) {
        this.maxFrames = mostFrames;
    }

    /**
     * Formats the failure with its causes and at most {@code maxFrames} frames of each, without a
     * line break at the end; empty for none.
     */
    static Optional<String> of(@Nullable IThrowableProxy failure, int mostFrames) {
        if (failure == null) {
            return Optional.empty();
        }
        StackTraceSanitizer text = new StackTraceSanitizer(mostFrames);
        text.append(failure, "", "");
        return Optional.of(text.out.substring(0, text.out.length() - 1));
    }

    private void append(IThrowableProxy failure, String indent, String title) {
        out.append(indent).append(title);
        if (failure.isCyclic()) {
            out.append("(again) ");
        }
        out.append(failure.getClassName());
        if (failure.getMessage() != null) {
            out.append(": ").append(LogSanitizer.onOneLine(failure.getMessage()));
        }
        out.append('\n');
        frames(failure, indent);
        for (IThrowableProxy suppressed : failure.getSuppressed()) {
            append(suppressed, indent + "\t", "Suppressed: ");
        }
        if (failure.getCause() != null) {
            append(failure.getCause(), indent, "Caused by: ");
        }
    }

    private void frames(IThrowableProxy failure, String indent) {
        StackTraceElementProxy[] frames = failure.getStackTraceElementProxyArray();
        int own = frames.length - failure.getCommonFrames();
        int shown = Math.min(own, maxFrames);
        for (int i = 0; i < shown; i++) {
            out.append(indent)
                    .append("\tat ")
                    .append(frames[i].getStackTraceElement())
                    .append('\n');
        }
        if (shown < frames.length) {
            out.append(indent).append("\t... ").append(frames.length - shown).append(" more\n");
        }
    }
}
