package io.orestes.bench.caching;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Operations of a group of users in some time. Used by one event loop alone. */
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

    /**
     * Adds an operation by the component that did it, or the reason of the server, with its
     * duration.
     */
    void share(String who, long duration) {
        shares.computeIfAbsent(who, first -> new Share()).add(duration);
    }

    /**
     * Returns the composition of the time of operations: for each part its share of them, and of
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

    /** Returns the mean duration of an operation. */
    double millis() {
        return nanos / 1e6 / operations;
    }

    /**
     * Returns the share of the object reads that returned a state which had been replaced before
     * they began.
     */
    double staleObjects() {
        return staleObjects / (double) Math.max(1, objects);
    }

    /** Returns the share of the query reads with at least one stale member. */
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
