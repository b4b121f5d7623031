package io.orestes.histories.check;

import java.util.List;

/**
 * One transaction, or a single read or write outside of any.
 *
 * @param name by which people find it in logs
 * @param kind whether its place in time matters
 * @param outcome the one that its client received
 * @param called when its client requested the commit, in nanoseconds of one clock
 * @param answered when that was answered
 * @param operations in their order
 */
public record Transaction(
        String name, Kind kind, Outcome outcome, long called, long answered, List<Operation> operations) {

    public Transaction {
        operations = List.copyOf(operations);
    }

    /** Kinds of transactions. */
    public enum Kind {
        /** Has to take effect between its call and its answer, as seen by other transactions. */
        TRANSACTION,
        /** A single read or write. */
        SINGLE
    }

    /** Outcomes of a transaction. */
    public enum Outcome {
        COMMITTED,
        ABORTED,
        /** The outcome is unknown; it counts as committed if a part of it was seen. */
        UNKNOWN
    }

    boolean isCommitted() {
        return outcome == Outcome.COMMITTED;
    }

    Transaction seen() {
        return new Transaction(name, kind, Outcome.COMMITTED, called, Long.MAX_VALUE, operations);
    }

    @Override
    public String toString() {
        return name + " " + outcome + " " + operations;
    }
}
