package io.invalidb.matching;

import io.invalidb.model.MatchEvent;
import java.util.List;

/**
 * The match events and failed queries that matching one write produces. Both lists are filled
 * during the matching.
 */
record MatchOutcome(List<MatchEvent> events, List<FailedQuery> failed) {}
