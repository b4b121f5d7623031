package io.invalidb.matching;

import io.invalidb.model.Stamp;
import io.invalidb.model.WriteEvent;
import java.util.function.Consumer;

/** Finds the queries of one bucket whose result a write may change: those it may match and those that hold its object. */
interface QueryIndex {

    void add(LiveQuery query);

    void remove(LiveQuery query);

    /** Makes the query forget a state, if that is the one it holds. */
    void forget(LiveQuery query, String id, Stamp stamp);

    boolean isEmpty();

    /** Gives the action every query concerned once; may give it others, too. */
    void forEachConcerned(WriteEvent write, Consumer<LiveQuery> action);
}
