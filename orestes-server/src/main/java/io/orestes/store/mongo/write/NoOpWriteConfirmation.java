package io.orestes.store.mongo.write;

import io.orestes.model.ApiException;
import io.orestes.model.ObjectRef;
import io.orestes.store.mongo.document.CurrentObject;
import io.orestes.store.mongo.driver.WriteConflictException;
import io.orestes.store.mongo.read.BatchLoader;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The confirmation, by linearizable reads, of writes that change nothing, such as refusals. A write
 * is planned by the states of the primary, and a primary that is cut off has states that no
 * majority will ever have. The commit of a change proves its plan, but nothing proves a plan
 * without changes. Used on the store's context only.
 */
public final class NoOpWriteConfirmation {

    private final BatchLoader linearizable;

    /** @param linearizable reads states that a majority has */
    public NoOpWriteConfirmation(BatchLoader linearizable) {
        this.linearizable = linearizable;
    }

    /**
     * Confirms the plan of a write that changes nothing. Fails as a plan by states that a majority
     * has, with {@link WriteConflictException} if those lead to another plan, and with {@code
     * UNAVAILABLE} if the primary reaches no majority in time.
     *
     * @param plan plan by the states of the primary, which fails if they do not allow the write
     * @param refs objects of the write
     * @param planner plans the write by the states of its existing objects
     */
    Future<List<ConditionalWrite>> confirm(
            Future<List<ConditionalWrite>> plan,
            Collection<ObjectRef> refs,
            Function<Map<ObjectRef, CurrentObject>, Future<List<ConditionalWrite>>> planner) {
        return plan.transform(made -> isProvenByCommit(made)
                ? plan
                : find(refs)
                        .compose(planner)
                        .compose(confirmed -> confirmed.isEmpty() && made.succeeded()
                                ? plan
                                : Future.failedFuture(WriteConflictException.byConcurrentWrite())));
    }

    /**
     * True if the plan needs no confirmation: a commit proves changes, server faults are no
     * refusals, and repeatable failures are planned again anyway.
     */
    private static boolean isProvenByCommit(AsyncResult<List<ConditionalWrite>> plan) {
        return plan.succeeded() ? !plan.result().isEmpty() : !isRefusal(plan.cause());
    }

    private static boolean isRefusal(Throwable failure) {
        return failure instanceof ApiException refusal && !refusal.code().isServerFault() && !refusal.isRepeatable();
    }

    private Future<Map<ObjectRef, CurrentObject>> find(Collection<ObjectRef> refs) {
        Map<ObjectRef, CurrentObject> states = new HashMap<>();
        List<Future<Optional<CurrentObject>>> reads = refs.stream()
                .map(ref -> linearizable.find(ref).onSuccess(found -> found.ifPresent(state -> states.put(ref, state))))
                .toList();
        return Future.all(reads).map(all -> states);
    }
}
