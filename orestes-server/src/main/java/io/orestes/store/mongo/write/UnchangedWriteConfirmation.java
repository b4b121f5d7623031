package io.orestes.store.mongo.write;

import io.orestes.model.ApiException;
import io.orestes.model.ObjectRef;
import io.orestes.store.mongo.document.CurrentObject;
import io.orestes.store.mongo.driver.RetriableWriteException;
import io.orestes.store.mongo.read.BatchLoader;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The confirmation, by linearizable reads, of writes that change nothing, such as refusals. A write
 * is planned by the states of the primary, and a primary that is cut off has states that no
 * majority will ever have. The commit of a change proves its plan, but nothing proves a plan
 * without changes. Used on the store's context only.
 */
public final class UnchangedWriteConfirmation {

    private final @Nullable BatchLoader linearizable;

    /** @param linearizable reads states that a majority has, null without such reads */
    public UnchangedWriteConfirmation(@Nullable BatchLoader linearizable) {
        this.linearizable = linearizable;
    }

    /**
     * Plans a write by the states of the primary, and confirms a plan that changes nothing where
     * the server has linearizable reads. Fails as a plan by states that a majority has, with {@link
     * RetriableWriteException} if those lead to another plan, and with {@code UNAVAILABLE} if the
     * primary reaches no majority in time.
     *
     * @param states states of the primary
     * @param refs objects of the write
     * @param planner plans the write by the states of its existing objects; fails if they do not
     *     allow the write
     */
    Future<List<ConditionalWrite>> plan(
            Map<ObjectRef, CurrentObject> states,
            Collection<ObjectRef> refs,
            Function<Map<ObjectRef, CurrentObject>, Future<List<ConditionalWrite>>> planner) {
        Future<List<ConditionalWrite>> plan = Future.succeededFuture(states).compose(planner);
        BatchLoader confirming = linearizable;
        return confirming == null
                ? plan
                : plan.transform(made -> isProvenByCommit(made)
                        ? plan
                        : find(confirming, refs)
                                .compose(planner)
                                .compose(confirmed -> confirmed.isEmpty() && made.succeeded()
                                        ? plan
                                        : Future.failedFuture(RetriableWriteException.byConcurrentWrite())));
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

    private static Future<Map<ObjectRef, CurrentObject>> find(BatchLoader linearizable, Collection<ObjectRef> refs) {
        Map<ObjectRef, CurrentObject> states = new HashMap<>();
        List<Future<Optional<CurrentObject>>> reads = refs.stream()
                .map(ref -> linearizable.find(ref).onSuccess(found -> found.ifPresent(state -> states.put(ref, state))))
                .toList();
        return Future.all(reads).map(all -> states);
    }
}
