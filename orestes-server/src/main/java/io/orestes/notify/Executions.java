package io.orestes.notify;

import io.invalidb.model.MatchEvent;
import io.invalidb.sorting.SortedWindow;
import io.invalidb.sorting.WindowSpec;
import io.orestes.model.StoredObject;
import io.orestes.realtime.Hold;
import io.orestes.realtime.MatchQuery;
import io.orestes.realtime.QueryMatching;
import io.orestes.store.ObjectStore;
import io.orestes.store.StoreQuery;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** Executes sorted queries and brings what the grid tells of each execution to its query. Thread-safe. */
final class Executions {

    /**
     * One write may use up the slack of every query of its class. If all were executed at once the store would refuse some,
     * and pull queries would wait for them all.
     */
    private static final int MOST_AT_ONCE = 2;

    private final QueryMatching matching;
    private final ObjectStore store;
    private final Turns turns = new Turns(MOST_AT_ONCE);
    private final AtomicLong last = new AtomicLong();
    private final Map<String, Running> running = new ConcurrentHashMap<>();

    Executions(QueryMatching matching, ObjectStore store) {
        this.matching = matching;
        this.store = store;
    }

    /** A change found by InvaliDB, if it is about one of these; any thread. */
    void accept(MatchEvent match) {
        Running execution = running.get(match.queryId());
        if (execution != null) {
            execution.owner.accept(execution.window, match);
        }
    }

    /** The id of the live query that an execution is of, if it is one of these. */
    Optional<String> owner(String executionId) {
        return Optional.ofNullable(running.get(executionId))
                .map(execution -> execution.owner.query().id());
    }

    /** The first execution of a query; fails with {@code TOO_MANY_REQUESTS} when too many queries are active. */
    Future<Generation> first(SortedQuery owner, int slack) {
        return execute(owner, slack, matching::hold);
    }

    /** A further one, beside the one that it is to replace, as soon as few others are under way. */
    Future<Generation> another(SortedQuery owner, int slack, Context home) {
        return turns.take(home, () -> execute(owner, slack, matching::holdInstead));
    }

    private Future<Generation> execute(
            SortedQuery owner,
            int slack,
            BiFunction<MatchQuery, Supplier<Future<List<StoredObject>>>, Future<Hold>> holding) {
        MatchQuery members = owner.query();
        MatchQuery query =
                new MatchQuery(members.id() + "#" + last.incrementAndGet(), members.bucket(), members.filter());
        return holding.apply(query, () -> execute(owner, query, slack))
                .map(hold -> new Generation(query, window(query), hold))
                .onFailure(failure -> running.remove(query.id()));
    }

    /**
     * Reads the result once. When the grid cannot replay all writes since, a cell may have told of some already, so that this
     * execution is of no use.
     */
    private Future<List<StoredObject>> execute(SortedQuery owner, MatchQuery query, int slack) {
        if (running.containsKey(query.id())) {
            return Future.failedFuture(new OutrunException());
        }
        WindowSpec spec = owner.spec();
        int capacity = SortedWindow.capacity(spec, slack);
        return store.query(new StoreQuery(query.bucket(), query.filter(), spec.order(), 0, capacity))
                .onSuccess(
                        result -> running.put(query.id(), new Running(owner, Generation.window(spec, slack, result))));
    }

    private SortedWindow window(MatchQuery query) {
        return Objects.requireNonNull(running.get(query.id())).window();
    }

    /** Lets the grid forget what the window does not hold. */
    void forget(Generation generation) {
        matching.forget(generation.query(), generation.window().takeIgnored());
    }

    /** Ends a generation: nothing of it is told any more. */
    void end(Generation generation) {
        running.remove(generation.query().id());
        generation.hold().release();
    }

    private record Running(SortedQuery owner, SortedWindow window) {}

    /** The writes since the query was executed are not retained any more; a new execution may do better. */
    static final class OutrunException extends RuntimeException {
        private OutrunException() {
            super("The query takes longer than writes are retained", null, false, false);
        }
    }
}
