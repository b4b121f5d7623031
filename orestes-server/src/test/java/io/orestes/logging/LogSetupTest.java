package io.orestes.logging;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

final class LogSetupTest {

    private static final Logger LOG = LoggerFactory.getLogger(LogSetupTest.class);

    private final String mark = UUID.randomUUID().toString();

    @Test
    void entry_logged_isRetained() {
        LOG.warn("The value of {} is {}", mark, 7, new IllegalStateException("broken"));

        LogEntry entry = entries(LogLevel.TRACE).get(0);
        assertThat(entry.message()).isEqualTo("The value of " + mark + " is 7");
        assertThat(entry.level()).isEqualTo(LogLevel.WARN);
        assertThat(entry.logger()).isEqualTo(LogSetupTest.class.getName());
        assertThat(entry.thread()).isEqualTo(Thread.currentThread().getName());
        assertThat(entry.stackTrace())
                .startsWith("java.lang.IllegalStateException: broken\n\tat " + LogSetupTest.class.getName());
    }

    @Test
    void entry_byJavasOwnInterface_isRetained() {
        System.getLogger("io.invalidb.node.Somewhere").log(Level.ERROR, mark);

        assertThat(entries(LogLevel.ERROR)).hasSize(1);
    }

    @Test
    void entry_belowItsThreshold_isNotRetained() {
        LOG.debug(mark);
        LoggerFactory.getLogger("org.mongodb.driver.cluster").info(mark);
        LoggerFactory.getLogger("org.apache.zookeeper.ClientCnxn").info(mark);
        LoggerFactory.getLogger("org.apache.curator.RetryLoop").info(mark);

        assertThat(entries(LogLevel.TRACE)).isEmpty();
    }

    @Test
    void entry_ofAnySize_isCut() {
        LOG.info("{}", mark + "x".repeat(1_000_000), deep(new IllegalStateException("y".repeat(1_000_000)), 100));

        LogEntry entry = entries(LogLevel.INFO).get(0);
        assertThat(entry.message().length()).isBetween(RecentLogAppender.MAX_MESSAGE_LENGTH, 4_100);
        assertThat(entry.message()).endsWith("… (996036 more characters)");
        assertThat(entry.stackTrace()).hasSizeBetween(RecentLogAppender.MAX_STACK_TRACE_LENGTH, 16_100);
    }

    private static Throwable deep(Throwable cause, int depth) {
        return depth == 0 ? cause : deep(new IllegalStateException(cause), depth - 1);
    }

    private List<LogEntry> entries(LogLevel least) {
        return LogSetup.recent().page(new LogQuery(null, least, mark, 10)).entries();
    }
}
