package io.invalidb.matching.index;

import io.invalidb.model.VersionStamp;
import io.invalidb.query.sort.SortHorizon;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The part of a query's result in one cell, with the horizon of the query. Few of a million queries
 * have any result, so it is created on first use. Single-threaded.
 */
final class PartialResult {

    /** Version stamps of the objects in it, by id. */
    final Map<String, VersionStamp> stamps = new HashMap<>(4);

    /** Horizon, behind which objects that enter the result are ignored. */
    @Nullable
    SortHorizon sortHorizon;
}
