package io.orestes.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.List;

/**
 * The logback configurator of this process, found by {@code META-INF/services}. Logback runs it
 * before the first line is logged.
 */
public final class LogSetup extends ContextAwareBase implements Configurator {

    /**
     * Loggers that write for each request during an outage; our own packages log its beginning and
     * end.
     */
    private static final List<String> NOISY_LOGGERS =
            List.of("org.mongodb", "org.apache.zookeeper", "org.apache.curator");

    /**
     * Name of the system property by which Curator omits lost connections from its log. Otherwise
     * it logs an error for each request during an outage.
     */
    private static final String CURATOR_SWITCH = "curator-dont-log-connection-problems";

    private static final RecentLogEntries RECENT = new RecentLogEntries(5_000, 4 << 20);

    /** Returns the newest entries of this process. */
    public static RecentLogEntries recent() {
        return RECENT;
    }

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        NOISY_LOGGERS.forEach(name -> context.getLogger(name).setLevel(Level.WARN));
        System.setProperty(CURATOR_SWITCH, "true");
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.INFO);
        root.addAppender(started(new RecentLogAppender(RECENT), context));
        root.addAppender(started(standardError(context), context));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    private static ConsoleAppender<ILoggingEvent> standardError(LoggerContext context) {
        ConsoleAppender<ILoggingEvent> lines = new ConsoleAppender<>();
        lines.setTarget("System.err");
        lines.setEncoder(LineLayout.encoder(context));
        return lines;
    }

    private static Appender<ILoggingEvent> started(Appender<ILoggingEvent> appender, LoggerContext context) {
        appender.setContext(context);
        appender.start();
        return appender;
    }
}
