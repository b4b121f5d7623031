package io.orestes.bench;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a group of users did in some time. Used by one event loop alone. */
final class Tally {

    private long operations;
    private long nanos;
    private long objects;
    private long staleObjects;
    private long queries;
    private long staleQueries;
    private final Map<String, Share> shares = new TreeMap<>();
    private long begin = System.nanoTime();
    private long end;

    void operation(long duration) {
        operations++;
        nanos += duration;
    }

    void object(boolean isStale) {
        objects++;
        staleObjects += isStale ? 1 : 0;
    }

    void query(boolean isStale) {
        queries++;
        staleQueries += isStale ? 1 : 0;
    }

    /** Who did something, or why the server had to; and how long it took. */
    void share(String who, long duration) {
        shares.computeIfAbsent(who, first -> new Share()).add(duration);
    }

    /**
     * Where the time of operations went: for each part, which share of them it took, and what of
     * the mean duration.
     */
    String sources() {
        return shares.entrySet().stream()
                .map(entry -> String.format(
                        "%s %.2f %% (%.2f ms)",
                        entry.getKey(),
                        100.0 * entry.getValue().operations / operations,
                        entry.getValue().nanos / 1e6 / operations))
                .collect(Collectors.joining(", "));
    }

    void begin() {
        begin = System.nanoTime();
    }

    void end() {
        end = System.nanoTime();
    }

    double perSecond() {
        return operations * 1e9 / (end - begin);
    }

    /** Mean duration of an operation. */
    double millis() {
        return nanos / 1e6 / operations;
    }

    /**
     * Share of the object reads that returned a state which had been replaced before they began.
     */
    double staleObjects() {
        return staleObjects / (double) Math.max(1, objects);
    }

    /** The same for query results, of which one old member is enough. */
    double staleQueries() {
        return staleQueries / (double) Math.max(1, queries);
    }

    /** A part of the operations. */
    private static final class Share {
        private long operations;
        private long nanos;

        private void add(long duration) {
            operations++;
            nanos += duration;
        }
    }
}
