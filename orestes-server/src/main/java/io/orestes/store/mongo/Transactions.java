package io.orestes.store.mongo;

import com.mongodb.ClientSessionOptions;
import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.MongoClient;
import io.vertx.core.Future;
import java.util.function.Function;

/** MongoDB's transactions over several documents. Used on the store's context only. */
final class Transactions {

    private static final TransactionOptions OPTIONS = TransactionOptions.builder()
            .readConcern(ReadConcern.SNAPSHOT)
            .writeConcern(WriteConcern.MAJORITY)
            .readPreference(ReadPreference.primary())
            .build();

    private final MongoClient client;
    private final Publishers publishers;

    Transactions(MongoClient client, Publishers publishers) {
        this.client = client;
        this.publishers = publishers;
    }

    /**
     * Does the work in one transaction. Fails with {@link Overtaken} if that may be begun again, because another transaction
     * was faster; then as in all failures nothing is written, unless nobody knows what became of the commit.
     */
    <T> Future<T> run(Function<ClientSession, Future<T>> work) {
        ClientSessionOptions options =
                ClientSessionOptions.builder().causallyConsistent(false).build();
        return publishers.first(client.startSession(options)).compose(session -> run(session.orElseThrow(), work));
    }

    private <T> Future<T> run(ClientSession session, Function<ClientSession, Future<T>> work) {
        session.startTransaction(OPTIONS);
        return Future.succeededFuture(session)
                .compose(work)
                .compose(done -> commit(session, true).map(done), failure -> publishers
                        .first(session.abortTransaction())
                        .transform(aborted -> Future.<T>failedFuture(failure)))
                .recover(failure -> Future.failedFuture(
                        Refusals.hasLabel(failure, MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)
                                ? Overtaken.byAnother()
                                : failure))
                .onComplete(done -> session.close());
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
