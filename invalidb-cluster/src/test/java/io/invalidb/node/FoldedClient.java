package io.invalidb.node;

import io.invalidb.model.MatchEvent;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.model.WriteEvent.Upsert;
import io.invalidb.query.Filter;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What a client holds that got one result and then only applies events. */
interface FoldedClient {

    Filter filter();

    /**
     * The result it begins with, from the objects that match now; its stamps are what the query is
     * subscribed with.
     */
    Map<String, VersionStamp> begin(List<Upsert> matching);

    void apply(MatchEvent match);

    /** Whether the query has to be executed again. */
    boolean needsRenewal();

    /** Tells the cluster what it need not be told of, if there is anything. */
    default void spare(InvalidbCluster cluster, String queryId) {}

    /** Fails unless what it holds is what a client holds that begins now. */
    void verify(List<Upsert> matching);

    static Map<String, VersionStamp> stamps(List<Upsert> objects) {
        return objects.stream().collect(Collectors.toMap(WriteEvent::id, WriteEvent::stamp));
    }
}
