package io.orestes.store.mongo.probe;

import com.mongodb.WriteConcern;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.MongoCollection;
import io.orestes.store.mongo.driver.MongoErrors;
import io.orestes.store.mongo.driver.PublisherAdapter;
import io.orestes.store.mongo.driver.RetriableWriteException;
import io.orestes.store.mongo.driver.TransactionRunner;
import io.vertx.core.Future;
import java.util.function.Function;
import org.bson.BsonDocument;

/**
 * A probe of a server's transactions: one must commit as a whole, another, which is aborted, must
 * leave nothing. A server that accepts both and does something else has no transactions.
 */
final class TransactionProbe {

    private static final String GIVER = "giver";
    private static final String TAKER = "taker";
    private static final String AMOUNT = "n";

    /** Maximum number of attempts, because any transaction may have to be repeated. */
    private static final int ATTEMPTS = 10;

    private final MongoCollection<BsonDocument> scratch;
    private final TransactionRunner transactionRunner;
    private final PublisherAdapter publisherAdapter;

    TransactionProbe(
            MongoCollection<BsonDocument> scratch,
            TransactionRunner transactionRunner,
            PublisherAdapter publisherAdapter) {
        this.scratch = scratch;
        this.transactionRunner = transactionRunner;
        this.publisherAdapter = publisherAdapter;
    }

    /**
     * Returns whether transactions work. Fails if the server does not report their absence at the
     * moment.
     */
    Future<Boolean> run() {
        return insert(GIVER, 2)
                .compose(giver -> insert(TAKER, 0))
                .compose(both -> inTransaction(this::give, ATTEMPTS))
                .compose(done -> inTransaction(this::giveAndFail, ATTEMPTS).recover(TransactionProbe::unlessOnPurpose))
                .compose(given -> publisherAdapter.first(
                        scratch.countDocuments(Filters.and(Filters.in("_id", GIVER, TAKER), Filters.eq(AMOUNT, 1L)))))
                .map(even -> even.orElseThrow() == 2)
                .recover(failure -> MongoErrors.isUnsupportedError(failure)
                        ? Future.succeededFuture(false)
                        : Future.failedFuture(failure));
    }

    /** Inserts durably: a document that is not may be invisible to a transaction. */
    private Future<?> insert(String id, int amount) {
        BsonDocument account = BsonDocument.parse("{_id: '%s', n: {$numberLong: '%d'}}".formatted(id, amount));
        return publisherAdapter.first(
                scratch.withWriteConcern(WriteConcern.MAJORITY).insertOne(account));
    }

    private Future<?> give(ClientSession session) {
        return publisherAdapter
                .first(scratch.updateOne(session, Filters.eq(GIVER), Updates.inc(AMOUNT, -1L)))
                .compose(taken ->
                        publisherAdapter.first(scratch.updateOne(session, Filters.eq(TAKER), Updates.inc(AMOUNT, 1L))));
    }

    private Future<?> giveAndFail(ClientSession session) {
        return give(session).compose(given -> Future.failedFuture(new IntendedFailure()));
    }

    private static Future<Void> unlessOnPurpose(Throwable failure) {
        return failure instanceof IntendedFailure ? Future.succeededFuture() : Future.failedFuture(failure);
    }

    private Future<Void> inTransaction(Function<ClientSession, Future<?>> work, int attempts) {
        return attempts == 0
                ? Future.failedFuture(MongoErrors.unavailable("MongoDB aborts every transaction"))
                : transactionRunner
                        .run(session -> work.apply(session).<Void>mapEmpty())
                        .recover(failure -> failure instanceof RetriableWriteException
                                ? inTransaction(work, attempts - 1)
                                : Future.failedFuture(failure));
    }

    /** The intended failure of the second transaction. */
    private static final class IntendedFailure extends RuntimeException {

        private IntendedFailure() {
            super("given up", null, false, false);
        }
    }
}
