package io.orestes.histories.check;

import java.util.Arrays;

/**
 * The states of one object in their order, from the reads of it: state 0 is that before all writes.
 */
final class Order {

    static final int NOBODY = -1;

    private final String key;
    private final int[] writers;

    /** Creates an order with a place for each state up to that one, and without writers. */
    Order(String key, int last) {
        this.key = key;
        this.writers = new int[last + 1];
        Arrays.fill(writers, NOBODY);
    }

    String key() {
        return key;
    }

    int last() {
        return writers.length - 1;
    }

    void setWriter(int state, int transaction) {
        writers[state] = transaction;
    }

    /** Returns the number of the transaction that made a state; {@link #NOBODY} if unknown. */
    int writer(int state) {
        return state < writers.length ? writers[state] : NOBODY;
    }

    /** Returns the next state after that one with another, known writer; 0 if there is none. */
    int nextAfter(int state, int otherThan) {
        for (int next = state + 1; next < writers.length; next++) {
            if (writers[next] != NOBODY && writers[next] != otherThan) {
                return next;
            }
        }
        return 0;
    }
}
