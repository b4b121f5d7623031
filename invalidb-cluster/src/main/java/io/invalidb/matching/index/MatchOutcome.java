package io.invalidb.matching.index;

import io.invalidb.matching.FailedQuery;
import io.invalidb.model.MatchEvent;
import java.util.List;

/**
 * The match events and failed queries that matching one write produces. Both lists are filled
 * during the matching.
 */
public record MatchOutcome(List<MatchEvent> events, List<FailedQuery> failed) {}
