package io.orestes.bench.matching;

import io.invalidb.model.MatchEvent;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.sort.SortOrder;
import io.invalidb.sorting.SortedWindow;
import io.invalidb.sorting.WindowSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonInt32;

/**
 * The sorting stage of the sorted queries of a workload: windows that begin empty, also after each
 * renewal.
 */
final class SortedWindows {

    private static final int SLACK = 10;

    private final PeriodicStepBudget periodicStepBudget = new PeriodicStepBudget();
    private final WindowSpec spec;
    private final Map<String, SortedWindow> windows = new HashMap<>();

    SortedWindows(String field, int limit) {
        this.spec = new WindowSpec(SortOrder.parse(new BsonDocument(field, new BsonInt32(-1))), 0, limit);
    }

    void add(String queryId) {
        windows.put(queryId, empty());
    }

    private SortedWindow empty() {
        return new SortedWindow(spec, SLACK, List.of());
    }

    /** Returns the number of changes that follow from a change of the filter stage. */
    int apply(MatchEvent event) {
        SortedWindow window = windows.get(event.queryId());
        if (window == null) {
            return 1;
        }
        int changes = window.apply(event, periodicStepBudget).size();
        if (window.needsRenewal()) {
            windows.put(event.queryId(), empty());
        }
        return changes;
    }
}
