package io.orestes.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LineEncoderTest {

    private static final String LINE = "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z .*";

    private final LoggerContext context = new LoggerContext();

    @Test
    void entry_isOneLine() {
        assertThat(line(Level.WARN, "Member b has departed", null))
                .isEqualTo("2026-03-01T09:30:00.000Z WARN  [worker 1] PeerGroup: Member b has departed\n");
    }

    @Test
    void entry_withAFailure_hasItsStackTraceBelow() {
        Throwable failure = new IllegalStateException("outer", new IllegalArgumentException("inner"));
        failure.addSuppressed(new UnsupportedOperationException());

        List<String> lines = line(Level.ERROR, "Broken", failure).lines().toList();

        assertThat(lines.get(0)).isEqualTo("2026-03-01T09:30:00.000Z ERROR [worker 1] PeerGroup: Broken");
        assertThat(lines.get(1)).isEqualTo("java.lang.IllegalStateException: outer");
        assertThat(lines.get(2)).startsWith("\tat io.orestes.logging.LineEncoderTest.");
        assertThat(lines)
                .contains(
                        "\tSuppressed: java.lang.UnsupportedOperationException",
                        "Caused by: java.lang.IllegalArgumentException: inner");
        assertThat(lines).anyMatch(line -> line.matches("\t\\.\\.\\. \\d+ more"));
    }

    /** Covers all line breaks that a text from a client can contain. */
    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r", "\r\n", "\u0085", "\u2028", "\u2029", "\u000b", "\f"})
    void lineBreak_inAnything_forgesNoLine(String lineBreak) {
        String forged = lineBreak + "2026-03-01T09:30:00.000Z INFO  [main] Main: all is well";
        Throwable failure = new IllegalStateException("a" + forged, new IllegalArgumentException("b" + forged));

        String text = line(Level.ERROR, "c" + forged, failure);

        assertThat(text.split("\\R")).filteredOn(line -> line.matches(LINE)).hasSize(1);
        assertThat(text.split("[\n\u000b\f]"))
                .filteredOn(line -> line.matches(LINE))
                .hasSize(1);
    }

    @Test
    void characters_thatTerminalsObeyOrTurn_areEscaped() {
        String text = line(Level.INFO, "a\u001b[31mb\u0000c\u009bd\u202ee\u200bf\u007f\tg ä 漢 🙂", null);

        assertThat(text).endsWith(": a\\u001b[31mb\\u0000c\\u009bd\\u202ee\\u200bf\\u007f\\tg ä 漢 🙂\n");
    }

    @Test
    void failure_thatIsItsOwnCause_hasAnEnd() {
        Throwable one = new IllegalStateException("one");
        Throwable two = new IllegalStateException("two", one);
        one.initCause(two);

        assertThat(line(Level.ERROR, "Round", one)).contains("Caused by: (again) ");
    }

    private String line(Level level, String message, @Nullable Throwable failure) {
        LoggingEvent event = new LoggingEvent(
                "x", context.getLogger("io.orestes.replication.PeerGroup"), level, message, failure, null);
        event.setThreadName("worker 1");
        event.setInstant(Instant.parse("2026-03-01T09:30:00Z"));
        return new String(new LineEncoder().encode(event), StandardCharsets.UTF_8);
    }
}
