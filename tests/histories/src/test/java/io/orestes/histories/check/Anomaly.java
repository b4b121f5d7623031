package io.orestes.histories.check;

/**
 * A phenomenon that no serial order of transactions permits (names after Adya, "Weak Consistency",
 * MIT 1999, and Kingsbury and Alvaro, "Elle", VLDB 2020).
 *
 * @param text for people: which transactions, and what they saw of each other
 */
public record Anomaly(Kind kind, String text) {

    /** The kinds, the worst first. */
    public enum Kind {
        /** A value that was never written. */
        GARBAGE,
        /** A value that was written once and occurs twice. */
        DUPLICATE,
        /** Two states of one object of which neither came from the other. */
        FORKED_ORDER,
        /** A write that was acknowledged and is absent at the end. */
        LOST_WRITE,
        /** G1a: a value of a transaction that was aborted. */
        ABORTED_READ,
        /** G1b: a state from the middle of a transaction. */
        INTERMEDIATE_READ,
        /** G0: a cycle of writes that overwrote each other. */
        WRITE_CYCLE,
        /** G1c: a cycle of writes and of reads of what was written. */
        INFORMATION_CYCLE,
        /** Two transactions wrote the same object by the same state. */
        LOST_UPDATE,
        /** G-single: a cycle in which one read did not see what came later. */
        SINGLE_ANTI_DEPENDENCY,
        /** G2: a cycle in which several reads did not see what came later, such as write skew. */
        ANTI_DEPENDENCY_CYCLE,
        /**
         * A cycle only if a transaction that was answered precedes one that was requested later.
         */
        TIME_CYCLE
    }

    @Override
    public String toString() {
        return kind + ": " + text;
    }
}
