package io.orestes.transaction;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The table of open transactions begun here, whose number is limited in total and per caller. A
 * transaction stays in it until it ends here or times out. Nothing but this limit depends on the
 * table. Guarded by its monitor.
 */
final class OpenTransactions {

    /** Caller of transactions that are not limited per caller. */
    private static final String UNCOUNTED = "";

    private final TransactionConfig config;
    private final InstantSource clock;
    /** Open transactions by id; the first is the next to time out. */
    private final Map<String, OpenTransaction> byId = new LinkedHashMap<>();

    private final Map<String, Integer> numbers = new HashMap<>();

    OpenTransactions(TransactionConfig config, InstantSource clock) {
        this.config = config;
        this.clock = clock;
    }

    /** @param until when it times out, in milliseconds since 1970 */
    private record OpenTransaction(String caller, long until) {}

    /**
     * Adds a transaction without a limit per caller. Fails with {@code TOO_MANY_REQUESTS} if too
     * many are open.
     */
    void add(String tid) {
        add(tid, UNCOUNTED);
    }

    /**
     * Adds a transaction; fails with {@code TOO_MANY_REQUESTS} if too many are open, or too many of
     * that caller.
     */
    synchronized void add(String tid, String caller) {
        long now = clock.millis();
        removeExpired(now);
        if (byId.size() >= config.maxOpen()) {
            throw new ApiException(ErrorCode.TOO_MANY_REQUESTS, "Too many transactions are open");
        }
        if (numbers.getOrDefault(caller, 0) >= config.maxOpenPerCaller()) {
            throw new ApiException(
                    ErrorCode.TOO_MANY_REQUESTS, "Too many transactions of this user or address are open");
        }
        byId.put(tid, new OpenTransaction(caller, now + config.timeout().toMillis()));
        if (!caller.equals(UNCOUNTED)) {
            numbers.merge(caller, 1, Integer::sum);
        }
    }

    /** Removes a transaction; does nothing if there is none of that id. */
    synchronized void remove(String tid) {
        OpenTransaction ended = byId.remove(tid);
        if (ended != null) {
            uncount(ended);
        }
    }

    private void removeExpired(long now) {
        Iterator<OpenTransaction> oldest = byId.values().iterator();
        while (oldest.hasNext()) {
            OpenTransaction begun = oldest.next();
            if (begun.until > now) {
                return;
            }
            oldest.remove();
            uncount(begun);
        }
    }

    private void uncount(OpenTransaction ended) {
        numbers.computeIfPresent(ended.caller, (caller, number) -> number > 1 ? number - 1 : null);
    }
}
