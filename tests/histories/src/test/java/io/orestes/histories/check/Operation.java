package io.orestes.histories.check;

import java.util.List;

/**
 * What a transaction did with one object. An object is a list or a register throughout a history;
 * nothing is written to it twice.
 */
public sealed interface Operation {

    /** The object. */
    String key();

    /** One more element at the end of a list. */
    record Append(String key, int element) implements Operation {}

    /** All of a list; empty where there was no object. */
    record ReadList(String key, List<Integer> elements) implements Operation {

        public ReadList {
            elements = List.copyOf(elements);
        }
    }

    /**
     * A register is set.
     *
     * @param version the one that it got by that; 0 if unknown
     */
    record Write(String key, long version, int value) implements Operation {}

    /**
     * What a register was.
     *
     * @param version 0 where there was no object
     */
    record Read(String key, long version, int value) implements Operation {}
}
