package io.orestes.store.embedded;

import io.orestes.model.ApiException;
import io.vertx.core.Future;

/** Something that is committed with others: what to do and whom to answer. */
abstract sealed class Mutation<T> implements Work permits SingleMutation, Commit {

    private final Reply<T> reply;
    private Future<T> outcome = Future.failedFuture("not evaluated");

    Mutation(Reply<T> reply) {
        this.reply = reply;
    }

    /** Adds the change to the group and returns what to answer once that is committed, or throws and adds nothing. */
    abstract T apply(Group group);

    /** Applies it and keeps the outcome. */
    final void evaluate(Group group) {
        try {
            outcome = Future.succeededFuture(apply(group));
        } catch (RuntimeException e) {
            outcome = Future.failedFuture(ApiException.of(e));
        }
    }

    /** Answers the caller with what {@link #evaluate} found. */
    final void answer(Replies replies) {
        replies.add(reply, outcome);
    }

    @Override
    public final void abort(ApiException reason, Replies replies) {
        replies.add(reply, Future.failedFuture(reason));
    }
}
