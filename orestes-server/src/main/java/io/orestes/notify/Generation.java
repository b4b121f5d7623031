package io.orestes.notify;

import io.invalidb.model.Operation;
import io.invalidb.model.WriteEvent.Upsert;
import io.invalidb.sorting.SortedWindow;
import io.invalidb.sorting.WindowSpec;
import io.orestes.model.StoredObject;
import io.orestes.realtime.Hold;
import io.orestes.realtime.MatchQuery;
import java.util.List;

/**
 * One execution of a sorted query and what the grid has told since: in the grid each is a query of its own.
 *
 * @param query as the grid knows it
 * @param window begun with the result, kept with the grid's events; guarded by the sorted query
 * @param hold keeps it in the grid
 */
record Generation(MatchQuery query, SortedWindow window, Hold hold) {

    /** The window on a result as it was read. */
    static SortedWindow window(WindowSpec spec, int slack, List<StoredObject> result) {
        return new SortedWindow(
                spec, slack, result.stream().map(Generation::untouched).toList());
    }

    private static Upsert untouched(StoredObject object) {
        return new Upsert(object.ref().bucket(), object.ref().id(), object.stamp(), Operation.NONE, object.document());
    }
}
