package io.orestes.store.mongo;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.reactivestreams.client.ClientSession;
import io.vertx.core.Future;
import java.util.function.Consumer;
import java.util.function.Function;

/** MongoDB's transactions over several documents. Used on the store's context only. */
final class Transactions {

    private static final TransactionOptions OPTIONS = TransactionOptions.builder()
            .readConcern(ReadConcern.SNAPSHOT)
            .writeConcern(WriteConcern.MAJORITY)
            .readPreference(ReadPreference.primary())
            .build();

    private final Sessions sessions;
    private final Publishers publishers;

    Transactions(Sessions sessions, Publishers publishers) {
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
                        done -> commit(session, true).map(done).onFailure(failure -> doubt(failure, done, inDoubt)),
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

    /** A commit of which nobody knows what became may be sent a second time. */
    private Future<?> commit(ClientSession session, boolean mayTryAgain) {
        return publishers
                .first(session.commitTransaction())
                .recover(failure -> mayTryAgain
                                && Refusals.hasLabel(failure, MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL)
                        ? commit(session, false).mapEmpty()
                        : Future.failedFuture(failure));
    }
}
