package io.orestes.coherence;

import java.util.ArrayList;
import java.util.List;

/**
 * All states of one resource in order. Its only writer reports when each write begins and its
 * outcome; so a state becomes current between its beginning and its end. Times are nanoseconds of
 * one clock. Thread-safe.
 */
final class History {

    private static final long UNKNOWN = Long.MAX_VALUE;

    private final List<State> states = new ArrayList<>();

    /** Creates a history that begins with a state that need not be seen. */
    History(String first) {
        State state = new State(first, Long.MIN_VALUE);
        state.ended = Long.MIN_VALUE;
        states.add(state);
    }

    /** One state. */
    static final class State {
        private final String print;
        private final long began;
        private long ended = UNKNOWN;
        private boolean isVoid;

        private State(String print, long began) {
            this.print = print;
            this.began = began;
        }

        private boolean holdsBefore(long time) {
            return !isVoid && ended != UNKNOWN && ended <= time;
        }
    }

    /**
     * The result of a read.
     *
     * @param index of the oldest state that it may have seen; -1 if none
     * @param needed index of the state that was the newest when its bound began
     */
    record Reading(int index, int needed) {

        boolean isStale() {
            return index < needed;
        }
    }

    /** Records the begin of a write with this resulting form. */
    synchronized State begin(String print, long now) {
        State state = new State(print, now);
        states.add(state);
        return state;
    }

    /** Records that the write was answered, or seen since. */
    synchronized void ended(State state, long now) {
        state.ended = now;
    }

    /** Records that the write was never committed. */
    synchronized void lost(State state) {
        state.isVoid = true;
    }

    /** Returns the index of the newest state that is known to be current. */
    synchronized int newest() {
        return newestBefore(UNKNOWN);
    }

    /**
     * Finds the state that a read saw.
     *
     * @param print the form that it saw
     * @param bound it has to have seen what was answered before this
     * @param atLeast an index before which it must not go either
     * @param readEnd when the read ended
     */
    synchronized Reading find(String print, long bound, int atLeast, long readEnd) {
        int needed = Math.max(newestBefore(bound), atLeast);
        int found = -1;
        for (int i = states.size() - 1; i >= 0 && (i >= needed || found < 0); i--) {
            State state = states.get(i);
            if (!state.isVoid && state.began < readEnd && state.print.equals(print)) {
                found = i;
            }
        }
        return new Reading(found, needed);
    }

    private int newestBefore(long time) {
        int index = states.size() - 1;
        while (!states.get(index).holdsBefore(time)) {
            index--;
        }
        return index;
    }

    /** Returns a state's name in traces. */
    synchronized String describe(int index) {
        return index < 0 ? "a state that never was" : "state " + index + " (" + states.get(index).print + ")";
    }
}
