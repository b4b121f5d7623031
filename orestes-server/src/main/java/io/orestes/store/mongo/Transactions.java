package io.orestes.store.mongo;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.reactivestreams.client.ClientSession;
import io.orestes.flow.Backoff;
import io.orestes.model.Outcome;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;

/** MongoDB's transactions over several documents. Used on the store's context only. */
final class Transactions {

    private static final TransactionOptions OPTIONS = TransactionOptions.builder()
            .readConcern(ReadConcern.SNAPSHOT)
            .writeConcern(WriteConcern.MAJORITY)
            .readPreference(ReadPreference.primary())
            .build();

    /** For so long a commit whose answer is lost is sent again; a healthy MongoDB answers within that. */
    private static final Duration MAX_TIME_IN_DOUBT = Duration.ofSeconds(1);

    private static final Duration MAX_TIME_TO_DRAIN = Duration.ofSeconds(2);

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(5);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(100);

    private final Vertx vertx;
    private final Sessions sessions;
    private final Publishers publishers;
    private final AbandonedTransactions abandoned;

    Transactions(Vertx vertx, Sessions sessions, Publishers publishers, OpenTransactions open) {
        this.vertx = vertx;
        this.sessions = sessions;
        this.publishers = publishers;
        this.abandoned = new AbandonedTransactions(vertx, open);
    }

    /**
     * Does the work in one transaction. Fails with {@link Overtaken} if that may be begun again, because another transaction
     * was faster; then as in all failures nothing is written, unless nobody knows what became of the commit.
     *
     * @param inDoubt told what was done where that is so
     */
    <T> Future<T> run(Function<ClientSession, Future<T>> work, Consumer<T> inDoubt) {
        return sessions.begin().compose(session -> run(session, work, inDoubt));
    }

    private <T> Future<T> run(ClientSession session, Function<ClientSession, Future<T>> work, Consumer<T> inDoubt) {
        session.startTransaction(OPTIONS);
        return Future.succeededFuture(session)
                .compose(work)
                .compose(
                        done -> commit(session).map(done).onFailure(failure -> doubt(failure, done, inDoubt)),
                        failure -> abort(session, failure))
                .onComplete(done -> end(session, done))
                .recover(failure -> Future.failedFuture(
                        Refusals.hasLabel(failure, MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)
                                ? Overtaken.byAnother()
                                : failure));
    }

    /** A MongoDB that did not answer the work is not waited for once more. */
    private <T> Future<T> abort(ClientSession session, Throwable failure) {
        return Refusals.isOfNoAnswer(failure)
                ? Future.failedFuture(failure)
                : publishers.first(session.abortTransaction()).transform(aborted -> Future.failedFuture(failure));
    }

    private void end(ClientSession session, AsyncResult<?> done) {
        if (done.failed() && Refusals.isOfNoAnswer(done.cause())) {
            abandoned.add(session);
        } else {
            session.close();
        }
    }

    /**
     * Completes when MongoDB has no transaction of this process open that has no answer, or has not
     * answered in time.
     */
    Future<?> drain() {
        return Future.any(abandoned.drain(), vertx.timer(MAX_TIME_TO_DRAIN.toMillis()));
    }

    /**
     * Makes one change in a transaction of its own, by the commands for changes outside of any. An
     * insertion into a collection that takes no transactions is made without one: nothing can be
     * deleted there, so that no object has a second life.
     */
    Future<Outcome> make(Change change, Commands commands) {
        return run(session -> commands.in(session).make(change), unknown -> {})
                .recover(failure -> change instanceof Change.Creation && Refusals.isOfTransactions(failure)
                        ? commands.make(change)
                        : Future.failedFuture(failure));
    }

    /** Only of a transaction that may be begun again the server says that it is not committed. */
    private static <T> void doubt(Throwable failure, T done, Consumer<T> inDoubt) {
        if (!Refusals.hasLabel(failure, MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)) {
            inDoubt.accept(done);
        }
    }

    private Future<?> commit(ClientSession session) {
        return publishers.first(session.commitTransaction()).recover(failure -> new Doubt(session).decide(failure));
    }

    /**
     * A commit whose answer is lost. It is sent again, as MongoDB knows a transaction by its number: it commits once,
     * and answers that the transaction does not exist if a failover undid it.
     */
    private final class Doubt {

        private final ClientSession session;
        private final Backoff pauses = new Backoff(SHORTEST_PAUSE, LONGEST_PAUSE, new SplittableRandom());
        private final long end = System.nanoTime() + MAX_TIME_IN_DOUBT.toNanos();
        private boolean isSentAgain;

        private Doubt(ClientSession session) {
            this.session = session;
        }

        private <T> Future<T> decide(Throwable failure) {
            boolean isUnknown = Refusals.hasLabel(failure, MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL);
            if (!isUnknown || (isSentAgain && System.nanoTime() - end > 0)) {
                return Future.failedFuture(failure);
            }
            isSentAgain = true;
            return vertx.timer(pauses.nextMillis())
                    .compose(now -> publishers.first(session.commitTransaction()))
                    .<T>mapEmpty()
                    .recover(this::decide);
        }
    }
}
