package io.orestes.replication.link;

import com.google.common.base.Throwables;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;

/**
 * A log of TLS handshakes that fail, above all because the other side does not have the secret of
 * the group. It writes at most one warning a minute, because strangers can cause any number of
 * them, and debug messages for all others. Thread-safe.
 */
final class RefusalLog {

    private static final long INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

    private final Logger log;
    private final AtomicLong lastNanos = new AtomicLong(System.nanoTime() - INTERVAL_NANOS);

    RefusalLog(Logger log) {
        this.log = log;
    }

    /** Records a failure before authentication, which may also be a connection that broke. */
    void record(String peer, Throwable failure) {
        Throwable cause = Throwables.getRootCause(failure);
        boolean isRefusal = (cause instanceof SSLException && !isBrokenConnection(cause))
                || cause instanceof GeneralSecurityException;
        if (isRefusal && isDue()) {
            log.warn("TLS with {} failed, which may not belong to this group: {}", peer, cause.getMessage());
        } else {
            log.debug("The connection with {} failed", peer, failure);
        }
    }

    /** Netty reports a connection that broke in the handshake as a failure of TLS. */
    private static boolean isBrokenConnection(Throwable failure) {
        return failure.getMessage() != null && failure.getMessage().startsWith("Connection closed");
    }

    private boolean isDue() {
        long now = System.nanoTime();
        long last = lastNanos.get();
        return now - last >= INTERVAL_NANOS && lastNanos.compareAndSet(last, now);
    }
}
