package io.orestes.live.execution;

import io.invalidb.model.MatchEvent;
import io.invalidb.model.VersionStamp;
import io.invalidb.query.PeriodicStepBudget;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * A query result that was read once and that match events keep current from then on.
 *
 * @param state the maintained state
 * @param members the states of objects that are in the result, by id
 * @param events consumer of the grid's events and of their budget; any thread
 */
public record MaintainedResult<S>(
        S state, Map<String, VersionStamp> members, BiConsumer<MatchEvent, PeriodicStepBudget> events) {}
