package io.invalidb.sorting;

import io.invalidb.model.MatchEvent;
import io.invalidb.model.MatchType;
import io.invalidb.model.WriteEvent;
import java.util.OptionalInt;

/**
 * One step by which the content of a window changes: an addition, change, move or removal. A client
 * that applies the steps in order has the window. A removal deletes by id, an addition inserts at
 * the index, and a change of index deletes by id and then inserts. Immutable.
 */
public final class WindowEvent {

    private static final int NO_INDEX = -1;

    private final MatchType type;
    private final int index;
    private final WriteEvent write;

    private WindowEvent(MatchType type, int index, WriteEvent write) {
        this.type = type;
        this.index = index;
        this.write = write;
    }

    static WindowEvent removed(WriteEvent write) {
        return new WindowEvent(MatchType.REMOVE, NO_INDEX, write);
    }

    static WindowEvent at(int index, MatchType type, WriteEvent write) {
        return new WindowEvent(type, index, write);
    }

    /** Returns the event of a result without an order, in which objects have no index. */
    public static WindowEvent unordered(MatchEvent match) {
        return new WindowEvent(match.type(), NO_INDEX, match.write());
    }

    /** Returns the kind of change. */
    public MatchType type() {
        return type;
    }

    /**
     * Returns the object's position after the step, counted from the start of the window; empty for
     * a removal.
     */
    public OptionalInt index() {
        return index == NO_INDEX ? OptionalInt.empty() : OptionalInt.of(index);
    }

    /**
     * Returns the state of the object; its operation is {@code NONE} for an object that was not
     * written.
     */
    public WriteEvent write() {
        return write;
    }

    @Override
    public String toString() {
        return type + (index == NO_INDEX ? "" : " at " + index) + " of " + write;
    }
}
