package io.orestes.transaction;

/**
 * The identity of a lock holder, by which other servers resolve its transaction if it fails.
 *
 * @param tid id of the transaction that is committed
 * @param process name in the store of the server that commits it
 */
public record LockHolder(String tid, String process) {

    private static final char BETWEEN = ' ';

    /** Parses the result of {@link #text}. */
    public static LockHolder parse(String text) {
        int end = text.indexOf(BETWEEN);
        return new LockHolder(text.substring(0, end), text.substring(end + 1));
    }

    String text() {
        return tid + BETWEEN + process;
    }
}
