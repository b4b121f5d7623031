package io.invalidb.sorting;

import io.invalidb.model.MatchType;
import io.invalidb.model.WriteEvent;
import java.util.OptionalInt;

/**
 * One step by which the content of a window changes: an addition, change, move or removal. A client
 * that applies the steps in order has the window. A removal deletes by id, an addition inserts at
 * the index, and a change of index deletes by id and then inserts.
 *
 * @param type the kind of change
 * @param index the object's position after the step, counted from the start of the window; absent
 *     for a removal
 * @param write the state of the object; its operation is {@code NONE} for an object that was not
 *     written
 */
public record WindowEvent(MatchType type, OptionalInt index, WriteEvent write) {

    static WindowEvent removed(WriteEvent write) {
        return new WindowEvent(MatchType.REMOVE, OptionalInt.empty(), write);
    }

    static WindowEvent at(int index, MatchType type, WriteEvent write) {
        return new WindowEvent(type, OptionalInt.of(index), write);
    }
}
