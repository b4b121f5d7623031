package io.orestes.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.status.Status;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LineLayoutTest {

    private static final String LINE = "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z .*";

    private static final Instant TIME = Instant.parse("2026-03-01T09:30:00Z");

    private final LoggerContext context = new LoggerContext();
    private final Encoder<ILoggingEvent> encoder = LineLayout.encoder(context);

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
        assertThat(lines.get(2)).startsWith("\tat io.orestes.logging.LineLayoutTest.");
        assertThat(lines)
                .contains(
                        "\tSuppressed: java.lang.UnsupportedOperationException",
                        "Caused by: java.lang.IllegalArgumentException: inner");
        assertThat(lines).anyMatch(line -> line.matches("\t\\.\\.\\. \\d+ more"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRACE", "DEBUG", "INFO ", "WARN ", "ERROR"})
    void level_ofAnyName_isFiveCharactersWide(String level) {
        assertThat(line(Level.toLevel(level.strip()), "x", null))
                .isEqualTo("2026-03-01T09:30:00.000Z " + level + " [worker 1] PeerGroup: x\n");
    }

    /** The pattern of the layout gives these characters a meaning, messages do not. */
    @ParameterizedTest
    @ValueSource(strings = {"100 %", "%msg%n%ex", "%d{HH}(a)", ")(", "\\(\\n\\)", "{}", "${user.home}", "", "'", "\""})
    void message_likeAPattern_isUnchanged(String message) {
        assertThat(line(Level.INFO, message, null))
                .isEqualTo("2026-03-01T09:30:00.000Z INFO  [worker 1] PeerGroup: " + message + "\n");
    }

    @Test
    void message_absent_isNull() {
        assertThat(line(Level.INFO, null, null)).endsWith("Z INFO  [worker 1] PeerGroup: null\n");
    }

    @Test
    void names_withControlCharacters_areEscaped() {
        assertThat(text(event("io.orestes.Peer\nGroup", "worker\r%n\u001b1", TIME)))
                .isEqualTo("2026-03-01T09:30:00.000Z INFO  [worker\\r%n\\u001b1] Peer\\nGroup: x\n");
    }

    @ParameterizedTest
    @CsvSource({"Group,Group", "io.,''", "a.b.C$D,C$D", "ROOT,ROOT"})
    void logger_ofAnyName_isItsLastPart(String logger, String shown) {
        assertThat(text(event(logger, "main", TIME))).endsWith("[main] " + shown + ": x\n");
    }

    @ParameterizedTest
    @CsvSource({
        "1970-01-01T00:00:00Z,1970-01-01T00:00:00.000Z",
        "2026-03-29T01:59:59.999999Z,2026-03-29T01:59:59.999Z",
        "2028-02-29T23:59:59.001Z,2028-02-29T23:59:59.001Z"
    })
    void time_isInUtcWithMilliseconds(Instant time, String shown) {
        assertThat(text(event("io.orestes.Some", "main", time))).startsWith(shown + " INFO ");
    }

    @Test
    void surrogate_withoutItsPair_isAQuestionMark() {
        assertThat(line(Level.INFO, "a\ud83db", null)).endsWith(": a?b\n");
    }

    /** Logback appends a trace of its own, with messages as they are, if a layout has none. */
    @Test
    void failure_isWrittenOnce() {
        String text = line(Level.ERROR, "x", new IllegalStateException("only\nonce"));

        assertThat(text).containsOnlyOnce("IllegalStateException").contains("IllegalStateException: only\\nonce\n");
        assertThat(text).endsWith("\n").doesNotEndWith("\n\n");
    }

    @Test
    void layout_startsWithoutAWarning() {
        assertThat(context.getStatusManager().getCopyOfStatusList())
                .extracting(Status::getEffectiveLevel)
                .doesNotContain(Status.WARN, Status.ERROR);
        assertThat(encoder.headerBytes()).isNullOrEmpty();
        assertThat(encoder.footerBytes()).isNullOrEmpty();
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

    private String line(Level level, @Nullable String message, @Nullable Throwable failure) {
        return text(named("io.orestes.replication.PeerGroup", "worker 1", TIME, logged(level, message, failure)));
    }

    private LoggingEvent event(String logger, String thread, Instant time) {
        return named(logger, thread, time, logged(Level.INFO, "x", null));
    }

    private LoggingEvent logged(Level level, @Nullable String message, @Nullable Throwable failure) {
        return new LoggingEvent("x", context.getLogger("x"), level, message, failure, null);
    }

    private static LoggingEvent named(String logger, String thread, Instant time, LoggingEvent event) {
        event.setLoggerName(logger);
        event.setThreadName(thread);
        event.setInstant(time);
        return event;
    }

    private String text(ILoggingEvent event) {
        return new String(encoder.encode(event), StandardCharsets.UTF_8);
    }
}
