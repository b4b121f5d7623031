package io.orestes.histories.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The order of states according to the reads of a history, and the anomalies of single reads.
 *
 * @param transactions with those of unknown outcome of which something was seen, as committed
 * @param orders by object
 * @param reads of committed transactions
 */
record Observations(
        List<Transaction> transactions, Map<String, Order> orders, List<ObservedRead> reads, List<Anomaly> anomalies) {

    /**
     * One read.
     *
     * @param reader number of the transaction
     * @param state the state that it saw
     */
    record ObservedRead(int reader, String key, int state) {}

    static Observations of(List<Transaction> history) {
        Lists lists = new Lists(history);
        Registers registers = new Registers(history);
        List<Transaction> settled = new ArrayList<>();
        for (int i = 0; i < history.size(); i++) {
            Transaction transaction = history.get(i);
            boolean isSeen = transaction.outcome() == Transaction.Outcome.UNKNOWN
                    && (lists.seen().contains(i) || registers.seen().contains(i));
            settled.add(isSeen ? transaction.seen() : transaction);
        }
        List<Anomaly> anomalies = new ArrayList<>(lists.anomalies(settled));
        anomalies.addAll(registers.anomalies(settled));
        Map<String, Order> orders = lists.orders();
        orders.putAll(registers.orders());
        return new Observations(settled, orders, readings(settled), anomalies);
    }

    private static List<ObservedRead> readings(List<Transaction> transactions) {
        List<ObservedRead> readings = new ArrayList<>();
        for (int i = 0; i < transactions.size(); i++) {
            if (transactions.get(i).isCommitted()) {
                int reader = i;
                transactions.get(i).operations().stream()
                        .flatMap(operation -> reading(reader, operation).stream())
                        .forEach(readings::add);
            }
        }
        return readings;
    }

    private static List<ObservedRead> reading(int reader, Operation operation) {
        if (operation instanceof Operation.ReadList list) {
            return List.of(new ObservedRead(reader, list.key(), list.elements().size()));
        }
        return operation instanceof Operation.Read read
                ? List.of(new ObservedRead(reader, read.key(), (int) read.version()))
                : List.of();
    }
}
