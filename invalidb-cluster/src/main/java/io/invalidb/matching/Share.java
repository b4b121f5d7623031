package io.invalidb.matching;

import io.invalidb.model.Stamp;
import io.invalidb.query.Horizon;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a cell keeps of a query's result. Of a million queries few have any, so it is made when there is something to keep. Single-threaded. */
final class Share {

    /** States of the objects in it, by id. */
    final Map<String, Stamp> held = new HashMap<>(4);

    /** Objects that come in behind it do not concern the query. */
    @Nullable
    Horizon horizon;
}
