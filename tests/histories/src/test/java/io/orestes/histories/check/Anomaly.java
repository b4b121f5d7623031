package io.orestes.histories.check;

/**
 * Something that cannot be if transactions come one after the other (names after Adya, "Weak
 * Consistency", MIT 1999, and Kingsbury and Alvaro, "Elle", VLDB 2020).
 *
 * @param text for people: which transactions, and what they saw of each other
 */
public record Anomaly(Kind kind, String text) {

    /** The worst first. */
    public enum Kind {
        /** A value that nobody wrote. */
        GARBAGE,
        /** A value that was written once and is there twice. */
        DUPLICATE,
        /** Two states of one object of which neither came from the other. */
        FORKED_ORDER,
        /** A write that was answered and is not there at the end. */
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
        /** A cycle only if who was answered comes before who asked later. */
        TIME_CYCLE
    }

    @Override
    public String toString() {
        return kind + ": " + text;
    }
}
