package io.invalidb.node;

import io.invalidb.grid.CellGrid;
import io.invalidb.matching.QuerySpec;
import io.invalidb.model.Position;
import io.invalidb.model.Stamp;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which queries are subscribed or being subscribed. A query is entered and removed together with the message to its cells,
 * under one lock, so that cells get these messages in the order of the entries. {@link #concern} takes no lock.
 */
final class Subscriptions {

    private final CellGrid grid;
    private final Map<String, Entry> byId = new HashMap<>();
    private final Map<String, Integer> queriesOfBucket = new ConcurrentHashMap<>();

    Subscriptions(CellGrid grid) {
        this.grid = grid;
    }

    /** Completes when the cells hold the query; with the subscription that there is already, if there is one. */
    synchronized CompletableFuture<Void> subscribe(QuerySpec query, Position since, Map<String, Stamp> result) {
        Entry present = byId.get(query.id());
        return present != null ? present.held() : start(query, since, result);
    }

    /** Entered before the cells know: from then on writers to the bucket wait for their answer. */
    private CompletableFuture<Void> start(QuerySpec query, Position since, Map<String, Stamp> result) {
        Entry entry = new Entry(query, new CompletableFuture<>());
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

    /** Some cells may have taken the query before another one refused it. */
    private synchronized void withdraw(String queryId, Entry entry) {
        if (entry.equals(byId.get(queryId))) {
            unsubscribe(queryId);
        }
    }

    synchronized void unsubscribe(String queryId) {
        Entry entry = byId.get(queryId);
        if (entry != null) {
            remove(queryId);
            leave(entry.query().bucket());
        }
    }

    /**
     * Removes this very subscription and announces its end; does nothing if it is gone already. Until that is done writers to
     * the bucket wait for their answer.
     */
    void end(QuerySpec query, Runnable announcement) {
        if (removed(query)) {
            announcement.run();
            leave(query.bucket());
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

    private void leave(String bucket) {
        queriesOfBucket.computeIfPresent(bucket, (same, queries) -> queries == 1 ? null : queries - 1);
    }

    /** Whether a write to the bucket may concern a query. */
    boolean concern(String bucket) {
        return queriesOfBucket.containsKey(bucket);
    }

    synchronized int size() {
        return byId.size();
    }

    private record Entry(QuerySpec query, CompletableFuture<Void> held) {}
}
