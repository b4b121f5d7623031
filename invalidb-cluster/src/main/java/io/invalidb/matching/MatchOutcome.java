package io.invalidb.matching;

import io.invalidb.model.MatchEvent;
import java.util.List;

/** What came of matching one write; filled while it is matched. */
record MatchOutcome(List<MatchEvent> events, List<FailedQuery> failed) {}
