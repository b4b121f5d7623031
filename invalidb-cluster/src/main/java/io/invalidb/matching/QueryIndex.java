package io.invalidb.matching;

import io.invalidb.model.WriteEvent;
import java.util.function.Consumer;

/** Finds the queries of one bucket whose result a write may change: those it may match and those that hold its object. */
interface QueryIndex {

    void add(LiveQuery query);

    void remove(LiveQuery query);

    boolean isEmpty();

    /** Gives the action every query concerned once; may give it others, too. */
    void forEachConcerned(WriteEvent write, Consumer<LiveQuery> action);
}
