package io.invalidb.node;

import io.invalidb.model.MatchEvent;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.model.WriteEvent.Upsert;
import io.invalidb.query.filter.Filter;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The state of a client that received one result and then only applies events. */
interface FoldedClient {

    Filter filter();

    /**
     * Starts with the result of the objects that match now; returns the stamps of the subscription.
     */
    Map<String, VersionStamp> begin(List<Upsert> matching);

    void apply(MatchEvent match);

    /** Returns whether the query has to be executed again. */
    boolean needsRenewal();

    /** Releases objects in the cluster that need not be published, if there are any. */
    default void spare(MatchingService cluster, String queryId) {}

    /** Fails unless the state equals that of a client that starts now. */
    void verify(List<Upsert> matching);

    static Map<String, VersionStamp> stamps(List<Upsert> objects) {
        return objects.stream().collect(Collectors.toMap(WriteEvent::id, WriteEvent::stamp));
    }
}
