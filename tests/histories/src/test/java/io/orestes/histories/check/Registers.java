package io.orestes.histories.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The registers of a history: versions say what came before. Every register has to be read after
 * all writes.
 */
final class Registers {

    private final Map<String, Map<Integer, Integer>> writers = new HashMap<>();
    private final Map<String, TreeMap<Long, Integer>> states = new LinkedHashMap<>();
    private final Map<String, Long> newestRead = new HashMap<>();
    private final Set<Integer> seen = new HashSet<>();
    private final List<Anomaly> forks = new ArrayList<>();

    Registers(List<Transaction> history) {
        for (int i = 0; i < history.size(); i++) {
            for (Operation operation : history.get(i).operations()) {
                if (operation instanceof Operation.Write write) {
                    writers.computeIfAbsent(write.key(), unknown -> new HashMap<>())
                            .put(write.value(), i);
                }
            }
        }
        history.forEach(transaction -> transaction.operations().forEach(operation -> note(transaction, operation)));
    }

    private void note(Transaction transaction, Operation operation) {
        if (operation instanceof Operation.Write write && write.version() > 0 && transaction.isCommitted()) {
            state(transaction, write.key(), write.version(), write.value());
        } else if (operation instanceof Operation.Read read && read.version() > 0) {
            state(transaction, read.key(), read.version(), read.value());
            newestRead.merge(read.key(), read.version(), Math::max);
            seen.add(writer(read.key(), read.value()));
        }
    }

    private void state(Transaction by, String key, long version, int value) {
        Integer known = states.computeIfAbsent(key, unknown -> new TreeMap<>()).putIfAbsent(version, value);
        if (known != null && known != value) {
            forks.add(new Anomaly(
                    Anomaly.Kind.FORKED_ORDER,
                    "%s knows version %d of %s as %d, others as %d".formatted(by, version, key, value, known)));
        }
    }

    private int writer(String key, int value) {
        return writers.getOrDefault(key, Map.of()).getOrDefault(value, Order.NOBODY);
    }

    /** Returns the transactions whose values were read. */
    Set<Integer> seen() {
        return seen;
    }

    Map<String, Order> orders() {
        Map<String, Order> orders = new LinkedHashMap<>();
        states.forEach((key, byVersion) -> {
            Order order = new Order(key, byVersion.lastKey().intValue());
            byVersion.forEach((version, value) -> order.setWriter(version.intValue(), writer(key, value)));
            orders.put(key, order);
        });
        return orders;
    }

    /** @param settled the history with all outcomes resolved */
    List<Anomaly> anomalies(List<Transaction> settled) {
        List<Anomaly> found = new ArrayList<>(forks);
        states.forEach((key, byVersion) -> checkOnce(key, byVersion, found));
        settled.forEach(transaction ->
                transaction.operations().forEach(operation -> check(settled, transaction, operation, found)));
        return found;
    }

    private void checkOnce(String key, Map<Long, Integer> byVersion, List<Anomaly> found) {
        Map<Integer, Long> once = new HashMap<>();
        byVersion.forEach((version, value) -> {
            Long earlier = once.putIfAbsent(value, version);
            if (earlier != null) {
                found.add(new Anomaly(
                        Anomaly.Kind.DUPLICATE,
                        "%d is in %s as version %d and as version %d".formatted(value, key, earlier, version)));
            }
        });
    }

    private void check(List<Transaction> settled, Transaction transaction, Operation operation, List<Anomaly> found) {
        if (operation instanceof Operation.Read read && read.version() > 0) {
            checkRead(settled, transaction, read, found);
        } else if (operation instanceof Operation.Write write && transaction.isCommitted()) {
            checkKept(transaction, write, found);
        }
    }

    private void checkRead(List<Transaction> settled, Transaction reader, Operation.Read read, List<Anomaly> found) {
        int writer = writer(read.key(), read.value());
        if (writer == Order.NOBODY) {
            found.add(new Anomaly(Anomaly.Kind.GARBAGE, reader + " read " + read + ", which was never written"));
        } else if (settled.get(writer).outcome() == Transaction.Outcome.ABORTED) {
            found.add(abortedRead(reader, read.key(), read.value(), settled.get(writer)));
        }
    }

    static Anomaly abortedRead(Transaction reader, String key, int value, Transaction writer) {
        return new Anomaly(
                Anomaly.Kind.ABORTED_READ, "%s%n  read %d of %s by%n  %s".formatted(reader, value, key, writer));
    }

    private void checkKept(Transaction writer, Operation.Write write, List<Anomaly> found) {
        if (newestRead.getOrDefault(write.key(), 0L) < write.version()) {
            found.add(new Anomaly(
                    Anomaly.Kind.LOST_WRITE,
                    writer + " wrote " + write + ", but later reads end at version "
                            + newestRead.getOrDefault(write.key(), 0L)));
        }
    }
}
