package io.orestes.store.mongo;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.reactivestreams.client.ClientSession;
import io.orestes.flow.Backoff;
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

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(5);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(100);

    private final Vertx vertx;
    private final Sessions sessions;
    private final Publishers publishers;

    Transactions(Vertx vertx, Sessions sessions, Publishers publishers) {
        this.vertx = vertx;
        this.sessions = sessions;
        this.publishers = publishers;
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
                        failure -> publishers
                                .first(session.abortTransaction())
                                .transform(aborted -> Future.<T>failedFuture(failure)))
                .recover(failure -> Future.failedFuture(
                        Refusals.hasLabel(failure, MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)
                                ? Overtaken.byAnother()
                                : failure))
                .onComplete(done -> session.close());
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
