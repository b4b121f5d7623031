package io.orestes.histories.workload;

import io.orestes.histories.check.Transaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Everything that happened: transactions for the checker of cycles, and operations on single
 * objects for that of linearizability. Thread-safe.
 */
final class Journal {

    private final long start = System.nanoTime();
    private final List<Transaction> transactions = new ArrayList<>();
    private final List<String> objects = new ArrayList<>();
    private final AtomicInteger names = new AtomicInteger();

    /** Returns nanoseconds since the start. */
    long now() {
        return System.nanoTime() - start;
    }

    String nextName(String what) {
        return what + names.incrementAndGet();
    }

    synchronized void note(Transaction transaction) {
        transactions.add(transaction);
    }

    synchronized List<Transaction> transactions() {
        return List.copyOf(transactions);
    }

    /** Records that the object was in that state at some moment between these two. */
    void saw(String name, State state, long called, long answered) {
        saw(name, state, OptionalLong.empty(), called, answered);
    }

    /**
     * Records that the object was in that state, committed at that time, at some moment between
     * these two.
     *
     * @param time at which the state was committed, by a server's clock; empty if unknown
     */
    void saw(String name, State state, OptionalLong time, long called, long answered) {
        StringBuilder rest = new StringBuilder(
                ",\"return\":%d,\"version\":%d,\"value\":%d".formatted(answered, state.version(), state.last()));
        time.ifPresent(known -> rest.append(",\"time\":").append(known));
        line(name, state.key(), called, rest.toString());
    }

    /**
     * Records that the object was written at some moment.
     *
     * @param expected the version that it had to have; empty if any
     * @param version the one that it got; empty if unknown
     * @param answered empty if it is unknown whether it was written
     */
    void wrote(
            String name,
            String key,
            OptionalLong expected,
            int value,
            OptionalLong version,
            long called,
            OptionalLong answered) {
        StringBuilder rest = new StringBuilder(",\"written\":" + value);
        answered.ifPresent(time -> rest.append(",\"return\":").append(time));
        expected.ifPresent(needed -> rest.append(",\"expected\":").append(needed));
        version.ifPresent(got -> rest.append(",\"version\":").append(got));
        line(name, key, called, rest.toString());
    }

    /**
     * Records an operation on the object at some moment.
     *
     * @param rest the members of the operation, as JSON, with a comma before each
     */
    synchronized void line(String name, String key, long called, String rest) {
        objects.add("{\"key\":\"%s\",\"name\":\"%s\",\"call\":%d%s}".formatted(key, name, called, rest));
    }

    /** Writes the history of single objects in the format of the checker of linearizability. */
    synchronized void write(Path file) throws IOException {
        Files.write(file, objects);
    }
}
