package io.orestes.store.mongo;

import io.orestes.model.ApiException;
import io.orestes.model.ObjectRef;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Linearizable reads behind the answers to writes that change nothing: refusals, and deletions of
 * what is absent. A write is planned by the states of the primary, and a primary that is cut off
 * has states that no majority will ever hold. The commit of a change proves its plan, but nothing
 * proves a plan without changes. Used on the store's context only.
 */
final class Confirmation {

    private final LookUps linearizable;

    /** @param linearizable reads of what a majority holds */
    Confirmation(LookUps linearizable) {
        this.linearizable = linearizable;
    }

    /**
     * Confirms the plan of a write that changes nothing. Fails as a plan by the states that a
     * majority holds, with {@link Overtaken} if those lead to another plan, and with {@code
     * UNAVAILABLE} if the primary reaches no majority in time.
     *
     * @param plan by the states of the primary, which fails if they do not allow the write
     * @param refs objects of the write
     * @param planner plans the write by those of its objects that are there
     */
    Future<List<Change>> confirm(
            Future<List<Change>> plan,
            Collection<ObjectRef> refs,
            Function<Map<ObjectRef, Found>, Future<List<Change>>> planner) {
        return plan.transform(made -> isProvenByCommit(made)
                ? plan
                : find(refs)
                        .compose(planner)
                        .compose(confirmed -> confirmed.isEmpty() && made.succeeded()
                                ? plan
                                : Future.failedFuture(Overtaken.byAnother())));
    }

    /** Faults of the server are not answers, and what can be repeated is planned again anyway. */
    private static boolean isProvenByCommit(AsyncResult<List<Change>> plan) {
        return plan.succeeded() ? !plan.result().isEmpty() : !isRefusal(plan.cause());
    }

    private static boolean isRefusal(Throwable failure) {
        return failure instanceof ApiException refusal && !refusal.code().isServerFault() && !refusal.isRepeatable();
    }

    private Future<Map<ObjectRef, Found>> find(Collection<ObjectRef> refs) {
        Map<ObjectRef, Found> states = new HashMap<>();
        List<Future<Optional<Found>>> reads = refs.stream()
                .map(ref -> linearizable.find(ref).onSuccess(found -> found.ifPresent(state -> states.put(ref, state))))
                .toList();
        return Future.all(reads).map(all -> states);
    }
}
