package io.orestes.histories.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The lists of a history: the place of an element says what came before. Every list has to be read
 * after all writes.
 */
final class Lists {

    private final List<Transaction> history;
    private final Map<String, Map<Integer, Integer>> writers = new HashMap<>();
    private final Map<String, List<Integer>> longest = new LinkedHashMap<>();
    private final Set<Integer> seen = new HashSet<>();

    Lists(List<Transaction> history) {
        this.history = history;
        eachAppend((writer, append) -> writers.computeIfAbsent(append.key(), unknown -> new HashMap<>())
                .put(append.element(), writer));
        eachRead((reader, read) -> {
            longest.merge(read.key(), read.elements(), (one, other) -> one.size() >= other.size() ? one : other);
            read.elements().forEach(element -> seen.add(writer(read.key(), element)));
        });
    }

    private interface Visitor<T> {
        void visit(int transaction, T operation);
    }

    private void eachAppend(Visitor<Operation.Append> visitor) {
        for (int i = 0; i < history.size(); i++) {
            for (Operation operation : history.get(i).operations()) {
                if (operation instanceof Operation.Append append) {
                    visitor.visit(i, append);
                }
            }
        }
    }

    private void eachRead(Visitor<Operation.ReadList> visitor) {
        for (int i = 0; i < history.size(); i++) {
            for (Operation operation : history.get(i).operations()) {
                if (operation instanceof Operation.ReadList read) {
                    visitor.visit(i, read);
                }
            }
        }
    }

    private int writer(String key, int element) {
        return writers.getOrDefault(key, Map.of()).getOrDefault(element, Order.NOBODY);
    }

    /** Returns the transactions whose elements were read. */
    Set<Integer> seen() {
        return seen;
    }

    Map<String, Order> orders() {
        Map<String, Order> orders = new LinkedHashMap<>();
        longest.forEach((key, elements) -> {
            Order order = new Order(key, elements.size());
            for (int i = 0; i < elements.size(); i++) {
                order.setWriter(i + 1, writer(key, elements.get(i)));
            }
            orders.put(key, order);
        });
        return orders;
    }

    /** @param settled the history with all outcomes resolved */
    List<Anomaly> anomalies(List<Transaction> settled) {
        List<Anomaly> found = new ArrayList<>();
        longest.forEach((key, elements) -> checkOnce(key, elements, found));
        eachRead((reader, read) -> checkRead(settled, reader, read, found));
        eachAppend((writer, append) -> checkKept(settled.get(writer), append, found));
        return found;
    }

    private static void checkOnce(String key, List<Integer> elements, List<Anomaly> found) {
        Set<Integer> once = new HashSet<>();
        elements.stream()
                .filter(element -> !once.add(element))
                .forEach(element -> found.add(
                        new Anomaly(Anomaly.Kind.DUPLICATE, element + " is twice in " + key + ": " + elements)));
    }

    private void checkRead(List<Transaction> settled, int reader, Operation.ReadList read, List<Anomaly> found) {
        List<Integer> elements = read.elements();
        List<Integer> all = longest.getOrDefault(read.key(), List.of());
        if (!all.subList(0, elements.size()).equals(elements)) {
            found.add(new Anomaly(
                    Anomaly.Kind.FORKED_ORDER,
                    settled.get(reader) + " read of " + read.key() + "\n  " + elements + ", and others\n  " + all));
        }
        elements.forEach(element -> checkElement(settled, reader, read.key(), element, found));
        if (!elements.isEmpty()) {
            checkWhole(settled, reader, read.key(), elements.get(elements.size() - 1), found);
        }
    }

    private void checkElement(List<Transaction> settled, int reader, String key, int element, List<Anomaly> found) {
        int writer = writer(key, element);
        if (writer == Order.NOBODY) {
            found.add(new Anomaly(
                    Anomaly.Kind.GARBAGE,
                    settled.get(reader) + " read " + element + " of " + key + ", which was never written"));
        } else if (settled.get(writer).outcome() == Transaction.Outcome.ABORTED) {
            found.add(Registers.abortedRead(settled.get(reader), key, element, settled.get(writer)));
        }
    }

    /** The last element of a transaction that is seen has to be the last that it appended. */
    private void checkWhole(List<Transaction> settled, int reader, String key, int last, List<Anomaly> found) {
        int writer = writer(key, last);
        if (writer == Order.NOBODY || writer == reader) {
            return;
        }
        List<Integer> appended = history.get(writer).operations().stream()
                .filter(operation -> operation instanceof Operation.Append append
                        && append.key().equals(key))
                .map(operation -> ((Operation.Append) operation).element())
                .toList();
        if (appended.get(appended.size() - 1) != last) {
            found.add(new Anomaly(
                    Anomaly.Kind.INTERMEDIATE_READ,
                    settled.get(reader) + " read " + key + " up to " + last + " of " + settled.get(writer)));
        }
    }

    private void checkKept(Transaction writer, Operation.Append append, List<Anomaly> found) {
        if (writer.isCommitted()
                && !longest.getOrDefault(append.key(), List.of()).contains(append.element())) {
            found.add(new Anomaly(
                    Anomaly.Kind.LOST_WRITE,
                    writer + " appended " + append.element() + ", which is not in " + append.key() + ": "
                            + longest.getOrDefault(append.key(), List.of())));
        }
    }
}
