package io.orestes.histories.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * A database of lists and registers in memory, whose transactions are interleaved by a seed and
 * whose isolation level is given. A register is stored as the list of its values. Single-threaded.
 */
final class Simulation {

    private static final int CLIENTS = 6;
    private static final List<String> KEYS = List.of("list-a", "list-b", "list-c", "register-a", "register-b");

    private final Random dice;
    private final ValidationMode care;
    private final Map<String, List<Integer>> store = new TreeMap<>();
    private final List<Transaction> history = new ArrayList<>();
    private int values;
    private long clock;

    /** Parts of a transaction that its commit validates. */
    enum ValidationMode {
        /** All reads and writes. */
        READS_AND_WRITES,
        /** Writes only: snapshot isolation. */
        WRITES,
        /** All reads of a transaction that writes; each read returns the current state. */
        UPDATERS,
        /** Nothing; the state that was read last is replaced. */
        NOTHING,
        /** All reads and writes, but others see the writes before the commit. */
        DIRTY,
        /** All reads and writes, but the last write is sometimes lost. */
        FORGETFUL
    }

    Simulation(ValidationMode care, long seed) {
        this.care = care;
        this.dice = new Random(seed);
        KEYS.forEach(key -> store.put(key, new ArrayList<>()));
    }

    /** A running transaction of one client. */
    private final class Client {

        private final Map<String, List<Integer>> snapshot = new HashMap<>();
        private final Map<String, List<Integer>> written = new HashMap<>();
        private final List<Operation> operations = new ArrayList<>();
        private final Set<String> read = new HashSet<>();
        private int left = 1 + dice.nextInt(4);
        private final long called = ++clock;

        private Client() {
            store.forEach((key, elements) -> snapshot.put(key, List.copyOf(elements)));
        }

        /** Runs the next operation; false if there is none. */
        private boolean step() {
            if (left-- == 0) {
                return false;
            }
            String key = KEYS.get(dice.nextInt(KEYS.size()));
            if (written.containsKey(key)) {
                return true;
            }
            if (read.add(key)) {
                List<Integer> state = state(key);
                snapshot.put(key, state);
                operations.add(readOf(key, state));
            }
            if (dice.nextBoolean()) {
                write(key);
            }
            return true;
        }

        private List<Integer> state(String key) {
            return care == ValidationMode.DIRTY || care == ValidationMode.NOTHING || care == ValidationMode.UPDATERS
                    ? List.copyOf(store.getOrDefault(key, List.of()))
                    : snapshot.getOrDefault(key, List.of());
        }

        private void write(String key) {
            List<Integer> after = new ArrayList<>(snapshot.getOrDefault(key, List.of()));
            after.add(++values);
            written.put(key, after);
            operations.add(writeOf(key, after));
            if (care == ValidationMode.DIRTY) {
                store.put(key, after);
            }
        }

        private void commit() {
            boolean isRight = isRight() && !(care == ValidationMode.DIRTY && dice.nextInt(10) == 0);
            if (isRight) {
                apply();
            } else if (care == ValidationMode.DIRTY) {
                written.keySet().forEach(key -> store.put(key, snapshot.getOrDefault(key, List.of())));
            }
            Transaction.Outcome outcome = isRight ? Transaction.Outcome.COMMITTED : Transaction.Outcome.ABORTED;
            history.add(new Transaction(
                    "T" + history.size(), Transaction.Kind.TRANSACTION, outcome, called, ++clock, operations));
        }

        private void apply() {
            int forgotten = care == ValidationMode.FORGETFUL && dice.nextInt(10) == 0 ? 1 : 0;
            written.entrySet().stream()
                    .limit(Math.max(0, written.size() - forgotten))
                    .forEach(write -> store.put(write.getKey(), write.getValue()));
        }

        private boolean isRight() {
            return switch (care) {
                case READS_AND_WRITES, FORGETFUL -> read.stream().allMatch(this::isUnchanged);
                case WRITES -> written.keySet().stream().allMatch(this::isUnchanged);
                case UPDATERS -> written.isEmpty() || read.stream().allMatch(this::isUnchanged);
                case NOTHING, DIRTY -> true;
            };
        }

        private boolean isUnchanged(String key) {
            return store.getOrDefault(key, List.of()).equals(snapshot.get(key));
        }
    }

    /** Returns a history of this number of transactions, at the end of which everything is read. */
    List<Transaction> run(int transactions) {
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(new Client());
        }
        while (history.size() < transactions) {
            int next = dice.nextInt(CLIENTS);
            if (!clients.get(next).step()) {
                clients.get(next).commit();
                clients.set(next, new Client());
            }
        }
        long end = ++clock;
        store.forEach((key, elements) -> history.add(new Transaction(
                "end",
                Transaction.Kind.SINGLE,
                Transaction.Outcome.COMMITTED,
                end,
                end,
                List.of(readOf(key, elements)))));
        return history;
    }

    private static Operation readOf(String key, List<Integer> state) {
        return key.startsWith("list")
                ? new Operation.ReadList(key, state)
                : new Operation.Read(key, state.size(), state.isEmpty() ? 0 : state.get(state.size() - 1));
    }

    private static Operation writeOf(String key, List<Integer> after) {
        int value = after.get(after.size() - 1);
        return key.startsWith("list")
                ? new Operation.Append(key, value)
                : new Operation.Write(key, after.size(), value);
    }
}
