package io.orestes.transaction;

/**
 * The identity of a lock holder, by which other servers resolve its transaction if it fails.
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
