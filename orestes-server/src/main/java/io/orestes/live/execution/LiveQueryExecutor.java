package io.orestes.live.execution;

import io.invalidb.model.MatchEvent;
import io.invalidb.model.VersionStamp;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.sort.SortHorizon;
import io.orestes.async.Bulkhead;
import io.orestes.invalidb.InvalidbClient;
import io.orestes.invalidb.MatchQuery;
import io.orestes.invalidb.QueryLease;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The executor of live queries whose results are maintained by events; it routes match events to
 * each execution. Thread-safe.
 */
public final class LiveQueryExecutor {

    /**
     * Maximum number of concurrent executions. One write may use up the slack of every query of its
     * class. If all were executed at once the store would refuse some, and pull queries would wait
     * for them all.
     */
    private static final int MAX_CONCURRENT = 2;

    /**
     * Maximum number of executions of a query that takes longer than the write stream is retained.
     */
    private static final int ATTEMPTS = 3;

    private final InvalidbClient matching;
    private final Bulkhead replacements;
    private final AtomicLong last = new AtomicLong();
    private final Map<String, RunningExecution> running = new ConcurrentHashMap<>();

    public LiveQueryExecutor(Vertx vertx, InvalidbClient matching) {
        this.matching = matching;
        this.replacements = new Bulkhead(vertx, MAX_CONCURRENT);
    }

    /** Passes a match event of InvaliDB to its execution, if it has one; any thread. */
    public void accept(MatchEvent match, PeriodicStepBudget periodicStepBudget) {
        RunningExecution execution = running.get(match.queryId());
        if (execution != null) {
            execution.events().accept(match, periodicStepBudget);
        }
    }

    /** Returns the id of the live query that owns an execution, if any. */
    public Optional<String> owner(String executionId) {
        return Optional.ofNullable(running.get(executionId)).map(RunningExecution::owner);
    }

    /**
     * Starts the first execution of a query; fails with {@code TOO_MANY_REQUESTS} when too many
     * queries are active.
     */
    public <S> Future<ActiveExecution<S>> executeFirst(
            MatchQuery members, Supplier<Future<MaintainedResult<S>>> reading) {
        return execute(members, reading, matching::acquireByStamps);
    }

    /**
     * Starts a further execution beside the one that it will replace, as soon as few others run.
     */
    public <S> Future<ActiveExecution<S>> executeReplacement(
            MatchQuery members, Supplier<Future<MaintainedResult<S>>> reading, Context home) {
        return Future.future(promise -> home.runOnContext(now -> replacements
                .run(() -> execute(members, reading, matching::acquireReplacement))
                .onComplete(promise)));
    }

    /**
     * Restarts an execution a few times while it takes longer than the write stream is retained.
     */
    public static <T> Future<T> withRetries(Supplier<Future<T>> execution) {
        return withRetries(execution, ATTEMPTS);
    }

    private static <T> Future<T> withRetries(Supplier<Future<T>> execution, int attempts) {
        return execution
                .get()
                .recover(failure -> failure instanceof OutrunException && attempts > 1
                        ? withRetries(execution, attempts - 1)
                        : Future.failedFuture(failure));
    }

    private <S> Future<ActiveExecution<S>> execute(
            MatchQuery members,
            Supplier<Future<MaintainedResult<S>>> reading,
            BiFunction<MatchQuery, Supplier<Future<Map<String, VersionStamp>>>, Future<QueryLease>> acquire) {
        MatchQuery query =
                new MatchQuery(members.id() + "#" + last.incrementAndGet(), members.bucket(), members.filter());
        AtomicReference<@Nullable MaintainedResult<S>> maintainedResult = new AtomicReference<>();
        return acquire.apply(query, () -> read(members.id(), query, reading, maintainedResult))
                .map(hold -> new ActiveExecution<>(
                        query, Objects.requireNonNull(maintainedResult.get()).state(), hold))
                .onFailure(failure -> running.remove(query.id()));
    }

    /**
     * Reads the result once. If the grid cannot replay all writes since, some events of them may be
     * lost, so that this execution is unusable.
     */
    private <S> Future<Map<String, VersionStamp>> read(
            String owner,
            MatchQuery query,
            Supplier<Future<MaintainedResult<S>>> reading,
            AtomicReference<@Nullable MaintainedResult<S>> into) {
        if (running.containsKey(query.id())) {
            return Future.failedFuture(new OutrunException());
        }
        return reading.get().map(maintainedResult -> {
            into.set(maintainedResult);
            running.put(query.id(), new RunningExecution(owner, maintainedResult.events()));
            return maintainedResult.members();
        });
    }

    /** Removes the states of objects that no client needs from the grid. */
    public void dropStates(ActiveExecution<?> activeExecution, Map<String, VersionStamp> states) {
        matching.dropStates(activeExecution.query(), states);
    }

    /** Suppresses events of objects that enter behind the horizon. */
    public void setHorizon(ActiveExecution<?> activeExecution, SortHorizon sortHorizon) {
        matching.setHorizon(activeExecution.query(), sortHorizon);
    }

    /** Ends an execution; no further event of it is published. */
    public void end(ActiveExecution<?> activeExecution) {
        running.remove(activeExecution.query().id());
        activeExecution.lease().release();
    }

    /**
     * One running execution.
     *
     * @param owner id of the live query
     */
    private record RunningExecution(String owner, BiConsumer<MatchEvent, PeriodicStepBudget> events) {}

    /**
     * Signals that the writes since the execution are not retained any more; a new execution may
     * succeed.
     */
    private static final class OutrunException extends RuntimeException {
        private OutrunException() {
            super("The query takes longer than writes are retained", null, false, false);
        }
    }
}
