package io.orestes.invalidb;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;

/**
 * A detector of writes that wait too long to be matched, counted in ticks and not by a clock. A
 * process that was suspended is therefore not late, as with heartbeats. Thread-safe, but for
 * {@link #turn}, which is for one thread at a time.
 */
final class MatchingLag {

    /** Turns that a write may take. */
    static final int TURNS = 4;

    /** A place for each of those turns and one for what is older. */
    private final AtomicIntegerArray pending = new AtomicIntegerArray(TURNS + 1);

    private volatile int now;

    /** A write was handed in; returns what to tell when it is matched. */
    int begun() {
        int turn = now;
        pending.incrementAndGet(turn);
        return turn;
    }

    /** It was matched, or never will be. */
    void ended(int turn) {
        pending.decrementAndGet(turn);
    }

    /** How many were handed in and are not matched yet; a moment's guess while writes come in. */
    int waiting() {
        return IntStream.range(0, pending.length()).map(pending::get).sum();
    }

    /**
     * A turn is over; returns whether a write has been waiting for longer than it may. While one
     * has, time stands still: its place is not used again before it is empty.
     */
    boolean turn() {
        int next = (now + 1) % pending.length();
        boolean isLate = pending.get(next) > 0;
        if (!isLate) {
            now = next;
        }
        return isLate;
    }
}
