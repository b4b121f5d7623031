package io.orestes.caching.purge;

import io.vertx.core.Vertx;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lag state of one purge target, which is logged when it lasts longer than a second. Shorter
 * lags are not logged, because a distant target lags all the time, for a moment each. Any thread
 * may read the state.
 */
final class TargetLagMonitor {

    private static final Logger log = LoggerFactory.getLogger(TargetLagMonitor.class);

    private static final Duration LOG_THRESHOLD = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final PurgeTarget target;
    private volatile boolean isOn;
    private boolean isReported;
    private long timer;

    TargetLagMonitor(Vertx vertx, PurgeTarget target) {
        this.vertx = vertx;
        this.target = target;
    }

    boolean isOn() {
        return isOn;
    }

    void begin(String why) {
        if (!isOn) {
            isOn = true;
            timer = vertx.setTimer(LOG_THRESHOLD.toMillis(), late -> report(why));
        }
    }

    void end() {
        if (isReported) {
            log.info("The shared cache {} has caught up", target);
        }
        var ignored = vertx.cancelTimer(timer);
        isReported = false;
        isOn = false;
    }

    private void report(String why) {
        isReported = true;
        log.warn("The shared cache {} {}; writes no longer wait for it, and its purges are sent later", target, why);
    }
}
