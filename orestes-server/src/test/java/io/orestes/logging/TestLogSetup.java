package io.orestes.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * Raises a log level before {@link LogSetup} runs: model tests make the filter of stale keys change
 * its size some thousand times.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class TestLogSetup extends ContextAwareBase implements Configurator {

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        context.getLogger("io.orestes.caching.sketch").setLevel(Level.WARN);
        return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
}
