package io.invalidb.matching;

import io.invalidb.model.VersionStamp;
import io.invalidb.query.SortHorizon;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The part of a query's result that one cell holds, with the horizon of the query. Few of a million
 * queries have any result, so the partition is created on first use. Single-threaded.
 */
final class ResultPartition {

    /** States of the objects in it, by id. */
    final Map<String, VersionStamp> held = new HashMap<>(4);

    /** Objects that come in behind it do not concern the query. */
    @Nullable
    SortHorizon sortHorizon;
}
