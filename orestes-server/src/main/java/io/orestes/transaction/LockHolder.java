package io.orestes.transaction;

/**
 * What others are told of who holds locks, should it be gone.
 *
 * @param tid identity of the transaction that is committed
 * @param process the server that commits it, by its name in the store
 */
public record LockHolder(String tid, String process) {

    private static final char BETWEEN = ' ';

    /** The reverse of {@link #text}. */
    public static LockHolder parse(String text) {
        int end = text.indexOf(BETWEEN);
        return new LockHolder(text.substring(0, end), text.substring(end + 1));
    }

    String text() {
        return tid + BETWEEN + process;
    }
}
