package io.orestes.transaction;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The table of open transactions begun here, whose number is limited in total and per caller. A
 * transaction stays in it until it ends here or times out. Nothing but this limit depends on the
 * table. Guarded by its monitor.
 */
final class OpenTransactionLimiter {

    /** Caller of transactions that are not limited per caller. */
    private static final String UNCOUNTED = "";

    private final TransactionConfig config;
    private final TransactionIds ids;
    /** Callers of open transactions by id; the first is the next to time out. */
    private final Map<String, String> callers = new LinkedHashMap<>();

    private final Map<String, Integer> numbers = new HashMap<>();

    OpenTransactionLimiter(TransactionConfig config, TransactionIds ids) {
        this.config = config;
        this.ids = ids;
    }

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
        removeExpired();
        if (callers.size() >= config.maxOpen()) {
            throw new ApiException(ErrorCode.TOO_MANY_REQUESTS, "Too many transactions are open");
        }
        if (numbers.getOrDefault(caller, 0) >= config.maxOpenPerCaller()) {
            throw new ApiException(
                    ErrorCode.TOO_MANY_REQUESTS, "Too many transactions of this user or address are open");
        }
        callers.put(tid, caller);
        if (!caller.equals(UNCOUNTED)) {
            numbers.merge(caller, 1, Integer::sum);
        }
    }

    /** Removes a transaction; does nothing if there is none of that id. */
    synchronized void remove(String tid) {
        String caller = callers.remove(tid);
        if (caller != null) {
            uncount(caller);
        }
    }

    private void removeExpired() {
        Iterator<Map.Entry<String, String>> oldest = callers.entrySet().iterator();
        while (oldest.hasNext()) {
            Map.Entry<String, String> begun = oldest.next();
            if (!ids.isExpired(begun.getKey())) {
                return;
            }
            oldest.remove();
            uncount(begun.getValue());
        }
    }

    private void uncount(String caller) {
        numbers.computeIfPresent(caller, (known, number) -> number > 1 ? number - 1 : null);
    }
}
