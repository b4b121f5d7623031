package io.orestes.histories.check;

import java.util.List;

/**
 * An operation of a transaction on one object. An object is a list or a register throughout a
 * history; no value is written to it twice.
 */
public sealed interface Operation {

    /** The object. */
    String key();

    /** An append of one element to a list. */
    record Append(String key, int element) implements Operation {}

    /** A read of a whole list; empty if there was no object. */
    record ReadList(String key, List<Integer> elements) implements Operation {

        public ReadList {
            elements = List.copyOf(elements);
        }
    }

    /**
     * A write of a register.
     *
     * @param version the resulting one; 0 if unknown
     */
    record Write(String key, long version, int value) implements Operation {}

    /**
     * A read of a register.
     *
     * @param version 0 if there was no object
     */
    record Read(String key, long version, int value) implements Operation {}
}
