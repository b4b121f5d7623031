package io.invalidb.node;

import io.invalidb.grid.CellGrid;
import io.invalidb.matching.QuerySpec;
import io.invalidb.model.StreamPosition;
import io.invalidb.model.VersionStamp;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The registry of queries that are subscribed or being subscribed, with their leases. A query is
 * entered and removed together with the message to its cells, under one lock. Cells therefore
 * receive these messages in the order of the entries. {@link #isWatched} takes no lock.
 */
final class Subscriptions {

    private final CellGrid grid;
    private final Map<String, Entry> byId = new HashMap<>();
    private final Map<String, Integer> queriesOfBucket = new ConcurrentHashMap<>();

    Subscriptions(CellGrid grid) {
        this.grid = grid;
    }

    /**
     * Completes when the cells watch the query; joins the existing subscription, if there is one.
     */
    synchronized CompletableFuture<Void> subscribe(
            SubscriberLease subscriberLease, QuerySpec query, StreamPosition since, Map<String, VersionStamp> result) {
        Entry present = byId.get(query.id());
        if (present == null) {
            return start(subscriberLease, query, since, result);
        }
        byId.put(query.id(), present.joinedBy(subscriberLease));
        return present.held();
    }

    /**
     * Starts a subscription. It is entered before the cells receive it: from then on writers to the
     * bucket wait for their response.
     */
    private CompletableFuture<Void> start(
            SubscriberLease subscriberLease, QuerySpec query, StreamPosition since, Map<String, VersionStamp> result) {
        Entry entry = new Entry(query, new CompletableFuture<>(), Set.of(subscriberLease));
        byId.put(query.id(), entry);
        queriesOfBucket.merge(query.bucket(), 1, Integer::sum);
        var unused = grid.subscribe(query, since, result)
                .whenComplete((done, failure) -> finish(query.id(), entry, failure));
        return entry.held();
    }

    private void finish(String queryId, Entry entry, @Nullable Throwable failure) {
        if (failure == null) {
            entry.held().complete(null);
        } else {
            withdraw(queryId, entry);
            entry.held().completeExceptionally(failure);
        }
    }

    /**
     * Withdraws a failed subscription, which some cells may have accepted before another one
     * refused it.
     */
    private synchronized void withdraw(String queryId, Entry entry) {
        Entry current = byId.get(queryId);
        if (current != null && current.held() == entry.held()) {
            remove(queryId);
            decrementBucket(entry.query().bucket());
        }
    }

    /** Ends the subscription unless another lease has it, too. */
    synchronized void unsubscribe(SubscriberLease subscriberLease, String queryId) {
        Entry entry = byId.get(queryId);
        if (entry != null && releaseLease(subscriberLease, entry)) {
            remove(queryId);
            decrementBucket(entry.query().bucket());
        }
    }

    /** Removes the lease from every query and returns those without another one. */
    synchronized List<QuerySpec> removeLease(SubscriberLease subscriberLease) {
        return List.copyOf(byId.values()).stream()
                .filter(entry -> releaseLease(subscriberLease, entry))
                .map(Entry::query)
                .toList();
    }

    /** Removes a lease; returns true if it was the last one of the subscription. */
    private boolean releaseLease(SubscriberLease subscriberLease, Entry entry) {
        Set<SubscriberLease> others = new HashSet<>(entry.leases());
        boolean wasHeld = others.remove(subscriberLease);
        if (wasHeld && !others.isEmpty()) {
            byId.put(entry.query().id(), entry.with(others));
        }
        return wasHeld && others.isEmpty();
    }

    synchronized List<QuerySpec> inRow(int row) {
        return byId.values().stream()
                .map(Entry::query)
                .filter(query -> grid.isInRow(row, query.id()))
                .toList();
    }

    /**
     * Removes this very subscription and publishes its end; does nothing if it is absent already.
     * Until that is done writers to the bucket wait for their response.
     */
    void end(QuerySpec query, Runnable announcement) {
        if (removed(query)) {
            announcement.run();
            decrementBucket(query.bucket());
        }
    }

    @SuppressWarnings("ReferenceEquality")
    private synchronized boolean removed(QuerySpec query) {
        Entry entry = byId.get(query.id());
        boolean isPresent = entry != null && entry.query() == query;
        if (isPresent) {
            remove(query.id());
        }
        return isPresent;
    }

    private void remove(String queryId) {
        byId.remove(queryId);
        var unused = grid.unsubscribe(queryId);
    }

    private void decrementBucket(String bucket) {
        queriesOfBucket.computeIfPresent(bucket, (same, queries) -> queries == 1 ? null : queries - 1);
    }

    /** Returns whether a write to the bucket may concern a query. */
    boolean isWatched(String bucket) {
        return queriesOfBucket.containsKey(bucket);
    }

    synchronized int size() {
        return byId.size();
    }

    /** A subscription. Most have one lease, for which an immutable set is smallest. */
    private record Entry(QuerySpec query, CompletableFuture<Void> held, Set<SubscriberLease> leases) {

        private Entry with(Set<SubscriberLease> others) {
            return new Entry(query, held, Set.copyOf(others));
        }

        private Entry joinedBy(SubscriberLease subscriberLease) {
            Set<SubscriberLease> all = new HashSet<>(leases);
            all.add(subscriberLease);
            return with(all);
        }
    }
}
