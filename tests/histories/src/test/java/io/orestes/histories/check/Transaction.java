package io.orestes.histories.check;

import java.util.List;

/**
 * One transaction, or a read or write outside of any, which is one of its own.
 *
 * @param name by which people find it in logs
 * @param kind whether its place in time matters
 * @param outcome what its client was told
 * @param called when its client asked for the commit, in nanoseconds of one clock
 * @param answered when that was answered
 * @param operations in their order
 */
public record Transaction(
        String name, Kind kind, Outcome outcome, long called, long answered, List<Operation> operations) {

    public Transaction {
        operations = List.copyOf(operations);
    }

    /** How it was done. */
    public enum Kind {
        /** Has to lie between its call and its answer, as seen by other transactions. */
        TRANSACTION,
        /** A single read or write. */
        SINGLE
    }

    /** What became of it. */
    public enum Outcome {
        COMMITTED,
        ABORTED,
        /** Nobody said; it counts as committed if anybody has seen a part of it. */
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
