package io.orestes.store.mongo.driver;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.reactivestreams.client.ClientSession;
import io.orestes.async.Backoff;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * A runner of MongoDB transactions over several documents, which retries commits in doubt. Used on
 * the store's context only.
 */
public final class TransactionRunner {

    private static final TransactionOptions OPTIONS = TransactionOptions.builder()
            .readConcern(ReadConcern.SNAPSHOT)
            .writeConcern(WriteConcern.MAJORITY)
            .readPreference(ReadPreference.primary())
            .build();

    /**
     * Maximum time for which a commit without a response is sent again; a healthy MongoDB responds
     * within that.
     */
    private static final Duration MAX_TIME_IN_DOUBT = Duration.ofSeconds(1);

    private static final Duration MAX_TIME_TO_DRAIN = Duration.ofSeconds(2);

    private static final Duration MIN_PAUSE = Duration.ofMillis(5);
    private static final Duration MAX_PAUSE = Duration.ofMillis(100);

    private final Vertx vertx;
    private final MongoSessionFactory mongoSessionFactory;
    private final PublisherAdapter publisherAdapter;
    private final TransactionAborter open;
    private final AbandonedTransactions abandoned;

    public TransactionRunner(
            Vertx vertx,
            MongoSessionFactory mongoSessionFactory,
            PublisherAdapter publisherAdapter,
            TransactionAborter open) {
        this.vertx = vertx;
        this.mongoSessionFactory = mongoSessionFactory;
        this.publisherAdapter = publisherAdapter;
        this.open = open;
        this.abandoned = new AbandonedTransactions(vertx, open);
    }

    /**
     * Executes work in one transaction. Fails with {@link RetriableWriteException} if it may be
     * repeated, because another transaction was faster or a command found no connection. After any
     * failure nothing is written, unless the commit is in doubt.
     */
    public <T> Future<T> run(Function<ClientSession, Future<T>> work) {
        return mongoSessionFactory.begin().compose(session -> run(session, work));
    }

    private <T> Future<T> run(ClientSession session, Function<ClientSession, Future<T>> work) {
        session.startTransaction(OPTIONS);
        return Future.succeededFuture(session)
                .compose(work)
                .compose(done -> commit(session, done), failure -> abort(session, failure))
                .recover(failure -> Future.failedFuture(
                        MongoErrors.isTransientTransactionError(failure) || MongoErrors.isUnsentError(failure)
                                ? RetriableWriteException.byTemporaryFailure(failure)
                                : failure));
    }

    /**
     * Commits. MongoDB confirms only of a transaction that may be repeated that it is not
     * committed.
     */
    private <T> Future<T> commit(ClientSession session, T done) {
        return publisherAdapter
                .first(session.commitTransaction())
                .recover(failure -> new CommitRetry(session).decide(failure))
                .map(done)
                .onComplete(committed -> end(
                        session, committed.succeeded() || MongoErrors.isTransientTransactionError(committed.cause())));
    }

    /**
     * Aborts a transaction whose work has failed. If MongoDB did not respond to the work, does not
     * wait for it once more. If MongoDB responds that the error is transient, it has aborted the
     * transaction. The driver labels a lost response as transient, too, so that is checked first.
     */
    private <T> Future<T> abort(ClientSession session, Throwable failure) {
        if (MongoErrors.isNoResponseError(failure)) {
            end(session, false);
            return Future.failedFuture(failure);
        }
        if (MongoErrors.isTransientTransactionError(failure)) {
            end(session, true);
            return Future.failedFuture(failure);
        }
        return open.abort(session)
                .onComplete(aborted -> end(session, aborted.succeeded()))
                .transform(aborted -> Future.failedFuture(failure));
    }

    /** @param isEnded whether MongoDB has confirmed that the transaction is committed or aborted */
    private void end(ClientSession session, boolean isEnded) {
        if (isEnded) {
            session.close();
        } else {
            abandoned.add(session);
        }
    }

    /**
     * Completes when MongoDB has no open transaction of this process without a response, or has not
     * responded in time.
     */
    public Future<?> drain() {
        return Future.any(abandoned.drain(), vertx.timer(MAX_TIME_TO_DRAIN.toMillis()));
    }

    /**
     * A commit in doubt, because its response is lost. It is sent again, as MongoDB identifies a
     * transaction by its number: it commits once, and responds that the transaction does not exist
     * if a failover undid it.
     */
    private final class CommitRetry {

        private final ClientSession session;
        private final Backoff pauses = new Backoff(MIN_PAUSE, MAX_PAUSE, new SplittableRandom());
        private final long end = System.nanoTime() + MAX_TIME_IN_DOUBT.toNanos();
        private boolean isSentAgain;

        private CommitRetry(ClientSession session) {
            this.session = session;
        }

        private <T> Future<T> decide(Throwable failure) {
            if (MongoErrors.isTransientTransactionError(failure)) {
                return Future.failedFuture(failure);
            }
            boolean isWorthwhile = failure instanceof MongoException && !(isSentAgain && System.nanoTime() - end > 0);
            if (!isWorthwhile) {
                return Future.failedFuture(new WriteInDoubtException(failure));
            }
            isSentAgain = true;
            return vertx.timer(pauses.nextDelayMillis())
                    .compose(now -> publisherAdapter.first(session.commitTransaction()))
                    .<T>mapEmpty()
                    .recover(this::decide);
        }
    }
}
