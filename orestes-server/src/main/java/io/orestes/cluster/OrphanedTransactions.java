package io.orestes.cluster;

import io.orestes.async.Backoff;
import io.orestes.model.ApiException;
import io.orestes.store.SharedStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transactions that departed servers have left open in the store. They block writes of their
 * objects until they are aborted. Every member aborts those of a departed server, so that none
 * remains if another member fails, too. Thread-safe.
 */
public final class OrphanedTransactions {

    private static final Logger log = LoggerFactory.getLogger(OrphanedTransactions.class);
    private static final Duration MIN_RETRY_DELAY = Duration.ofMillis(500);
    private static final Duration MAX_RETRY_DELAY = Duration.ofSeconds(10);

    private final Vertx vertx;
    private final SharedStore store;

    public OrphanedTransactions(Vertx vertx, SharedStore store) {
        this.vertx = vertx;
        this.store = store;
    }

    /** Aborts the transactions of a server, and retries until the store responds. */
    void abort(String process) {
        abort(process, new Backoff(MIN_RETRY_DELAY, MAX_RETRY_DELAY, ThreadLocalRandom.current()));
    }

    private void abort(String process, Backoff pauses) {
        store.abortTransactionsOf(process).onFailure(failure -> {
            log.info(
                    "Transactions of {} are not aborted yet: {}",
                    process,
                    ApiException.of(failure).message());
            long unused = vertx.setTimer(pauses.nextDelayMillis(), later -> abort(process, pauses));
        });
    }

    /**
     * Aborts the transactions of all other servers; for the first member of a group, which has no
     * list of earlier ones.
     */
    Future<Void> abortAll() {
        return store.abortTransactionsOfOthers();
    }
}
