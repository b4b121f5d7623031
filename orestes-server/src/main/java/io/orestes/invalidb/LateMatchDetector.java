package io.orestes.invalidb;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;

/**
 * A detector of writes that wait too long to be matched, counted in ticks and not by a clock. A
 * process that was suspended is therefore not late, as with heartbeats. Thread-safe, except
 * {@link #tick}, which is for one thread at a time.
 */
final class LateMatchDetector {

    /** Maximum number of turns of a write. */
    static final int MAX_TICKS = 4;

    /** Number of pending writes of each of those turns, and of all older ones. */
    private final AtomicIntegerArray pending = new AtomicIntegerArray(MAX_TICKS + 1);

    private volatile int now;

    /** Records a published write; returns the turn to pass to {@link #end} when it is matched. */
    int begin() {
        int turn = now;
        pending.incrementAndGet(turn);
        return turn;
    }

    /** Records that the write was matched, or never will be. */
    void end(int turn) {
        pending.decrementAndGet(turn);
    }

    /** Returns the number of published and unmatched writes; approximate while writes arrive. */
    int waiting() {
        return IntStream.range(0, pending.length()).map(pending::get).sum();
    }

    /**
     * Ends a turn; returns whether a write waits for longer than allowed. While one does, turns
     * stop: its counter is not reused before it is zero.
     */
    boolean tick() {
        int next = (now + 1) % pending.length();
        boolean isLate = pending.get(next) > 0;
        if (!isLate) {
            now = next;
        }
        return isLate;
    }
}
