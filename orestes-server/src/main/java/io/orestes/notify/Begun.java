package io.orestes.notify;

import io.invalidb.model.MatchEvent;
import io.invalidb.model.Stamp;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A result that was read and is from now on kept by events.
 *
 * @param state what is kept
 * @param members the states of objects that are in the result, by id
 * @param events takes what the grid tells of it; any thread
 */
record Begun<S>(S state, Map<String, Stamp> members, Consumer<MatchEvent> events) {}
