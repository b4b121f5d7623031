package io.orestes.coherence;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

/**
 * Compares every read with the history of its resource, and records the first wrong ones.
 * Thread-safe.
 */
final class Checker {

    private static final int MOST = 5;

    private final Journal journal;
    private final List<String> violations = new CopyOnWriteArrayList<>();
    private final LongAdder reads = new LongAdder();
    private final LongAdder networkReads = new LongAdder();
    private final LongAdder failedReads = new LongAdder();
    private final LongAdder wrongReads = new LongAdder();

    Checker(Journal journal) {
        this.journal = journal;
    }

    /**
     * A read and its guarantees.
     *
     * @param reader name of the reader
     * @param began when it began
     * @param bound whatever was answered before this has to be seen
     * @param why the origin of that bound
     * @param atLeast index of a state that this reader has seen or written
     * @param isFromNetwork whether a request was sent for it
     */
    record Read(String reader, long began, long bound, String why, int atLeast, boolean isFromNetwork) {}

    /** Checks a read that has just ended, and returns the index of the state it saw. */
    int check(Resource resource, Read read, int status, String body) {
        long now = System.nanoTime();
        reads.increment();
        if (read.isFromNetwork) {
            networkReads.increment();
        }
        String print = resource.print(status, body);
        History.Reading reading = resource.history().find(print, read.bound, read.atLeast, now);
        if (reading.isStale()) {
            wrongReads.increment();
            report(resource, read, print, reading);
        }
        return Math.max(reading.index(), read.atLeast);
    }

    /** Counts a read without an answer, for which nothing is guaranteed. */
    void failed() {
        failedReads.increment();
    }

    private void report(Resource resource, Read read, String print, History.Reading reading) {
        if (violations.size() < MOST) {
            violations.add("%s: %s read %s (%s) of %s,%nbut needed %s: bound %s by %s, seen before %s%n%s"
                    .formatted(
                            journal.at(read.began),
                            read.reader,
                            resource.history().describe(reading.index()),
                            print,
                            resource.key(),
                            resource.history().describe(reading.needed()),
                            journal.at(read.bound),
                            read.why,
                            resource.history().describe(read.atLeast),
                            journal.trace(resource)));
        }
    }

    /** Returns the first wrong reads, each with a trace. */
    List<String> violations() {
        return List.copyOf(violations);
    }

    boolean hasViolations() {
        return !violations.isEmpty();
    }

    long reads() {
        return reads.sum();
    }

    long networkReads() {
        return networkReads.sum();
    }

    @Override
    public String toString() {
        return "%,d reads, %,d of them over the network; %,d more got no answer; %,d were wrong"
                .formatted(reads(), networkReads(), failedReads.sum(), wrongReads.sum());
    }
}
