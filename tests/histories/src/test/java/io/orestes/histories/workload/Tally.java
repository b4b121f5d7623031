package io.orestes.histories.workload;

import io.orestes.histories.check.Transaction.Outcome;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/** Counts of what was done. Thread-safe. */
final class Tally {

    private final Map<String, LongAdder> counts = new ConcurrentSkipListMap<>();

    void read() {
        count("reads");
    }

    void transaction(Outcome outcome, boolean isSettledLater) {
        count("transactions " + outcome);
        if (isSettledLater) {
            count("transactions settled by asking again");
        }
    }

    void single(Outcome outcome) {
        count("single writes " + outcome);
    }

    /** Counts a write of an object with lives. */
    void write(LifeWrite.Kind kind, LifeResult result) {
        count(kind + " " + result.kind());
    }

    /**
     * Returns the number of reads and writes of objects with lives with a definite answer, done or
     * refused.
     */
    long answered() {
        return sum(what -> !what.endsWith(LifeResult.Kind.UNKNOWN.name()));
    }

    /** Returns the number of writes of objects with lives of unknown outcome. */
    long unknown() {
        return sum(what -> what.endsWith(LifeResult.Kind.UNKNOWN.name()));
    }

    private long sum(Predicate<String> which) {
        return counts.entrySet().stream()
                .filter(count -> which.test(count.getKey()))
                .mapToLong(count -> count.getValue().sum())
                .sum();
    }

    void status(int status) {
        count("refused by " + status);
    }

    private void count(String what) {
        counts.computeIfAbsent(what, unknown -> new LongAdder()).increment();
    }

    long transactions() {
        long all = 0;
        for (Outcome outcome : Outcome.values()) {
            all += transactions(outcome);
        }
        return all;
    }

    long transactions(Outcome outcome) {
        LongAdder count = counts.get("transactions " + outcome);
        return count == null ? 0 : count.sum();
    }

    @Override
    public String toString() {
        return counts.toString();
    }
}
