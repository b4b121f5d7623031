package io.orestes.store.mongo.driver;

import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.conversions.Bson;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An aborter of transactions that processes of this database have left open in MongoDB. Such a
 * transaction outlives its process until the server's time limit for transactions, a minute by
 * default. No other transaction can write its objects meanwhile. Used on the store's context only.
 */
public final class TransactionAborter {

    private static final Logger LOG = LoggerFactory.getLogger(TransactionAborter.class);
    private static final int PAGE_SIZE = 100;
    private static final BsonDocument ABORT = new BsonDocument("abortTransaction", new BsonInt32(1));
    private static final String SESSION = "lsid";
    private static final String PROCESS = "appName";

    private final MongoDatabase admin;
    private final PublisherAdapter publisherAdapter;
    private final Pattern processes;

    /** @param processes matches the names of all processes of the database */
    public TransactionAborter(MongoDatabase admin, PublisherAdapter publisherAdapter, Pattern processes) {
        this.admin = admin;
        this.publisherAdapter = publisherAdapter;
        this.processes = processes;
    }

    /**
     * Aborts the transactions of a process, by the application name of its connections. If the
     * server does not allow it, they end by themselves.
     */
    public Future<Void> abort(String process) {
        return abortMatching(Filters.eq(PROCESS, process));
    }

    /**
     * Aborts the transactions of all processes of the database but one. A live process repeats its
     * transactions.
     */
    public Future<Void> abortAllBut(String process) {
        return abortMatching(Filters.and(Filters.regex(PROCESS, processes), Filters.ne(PROCESS, process)));
    }

    /**
     * Aborts the transaction of a session; fails unless MongoDB responds that it has ended. The
     * driver's own abort completes in any case, and does not report MongoDB's response.
     */
    Future<?> abort(ClientSession session) {
        return publisherAdapter
                .first(admin.runCommand(session, ABORT, BsonDocument.class))
                .recover(failure -> MongoErrors.isEndedTransactionError(failure)
                        ? Future.succeededFuture(Optional.empty())
                        : Future.failedFuture(failure));
    }

    /** Aborts the transactions of some sessions; fails if MongoDB does not respond. */
    Future<?> abort(List<ClientSession> sessions) {
        return killSessions(new BsonArray(sessions.stream()
                .map(session -> session.getServerSession().getIdentifier())
                .toList()));
    }

    private Future<Void> abortMatching(Bson theirs) {
        return publisherAdapter
                .all(admin.aggregate(openTransactionsPipeline(theirs), BsonDocument.class), PAGE_SIZE)
                .compose(this::killSessions)
                .recover(failure ->
                        MongoErrors.isUnsupportedError(failure) ? warn(failure) : Future.failedFuture(failure));
    }

    /**
     * Executes the commands of {@link #abort} for a session that never existed; fails if that is
     * impossible.
     */
    public Future<?> requirePermissions() {
        Bson nobody = Filters.eq(PROCESS, UUID.randomUUID().toString());
        return publisherAdapter
                .all(admin.aggregate(openTransactionsPipeline(nobody), BsonDocument.class), PAGE_SIZE)
                .compose(none -> killSessions(
                        new BsonArray(List.of(new BsonDocument("id", new BsonBinary(UUID.randomUUID()))))));
    }

    private Future<Void> killSessions(List<BsonDocument> found) {
        // without any session the command would end those of all
        if (found.isEmpty()) {
            return Future.succeededFuture();
        }
        BsonArray sessions = new BsonArray();
        found.forEach(open ->
                sessions.add(new BsonDocument("id", open.getDocument(SESSION).get("id"))));
        return killSessions(sessions)
                .onSuccess(killed ->
                        LOG.info("Aborted {} transactions that other processes had left open", sessions.size()))
                .mapEmpty();
    }

    private Future<?> killSessions(BsonArray sessions) {
        return publisherAdapter.first(admin.runCommand(new BsonDocument("killSessions", sessions), BsonDocument.class));
    }

    private static List<Bson> openTransactionsPipeline(Bson processes) {
        BsonDocument mine = new BsonDocument("idleSessions", BsonBoolean.TRUE).append("allUsers", BsonBoolean.FALSE);
        Bson theirs = Filters.and(processes, Filters.eq("transaction.parameters.autocommit", false));
        return List.of(
                new BsonDocument("$currentOp", mine),
                Aggregates.match(theirs),
                new BsonDocument("$project", new BsonDocument(SESSION, BsonBoolean.TRUE)));
    }

    private static Future<Void> warn(Throwable failure) {
        LOG.warn("Transactions that other processes have left open cannot be aborted: {}", failure.getMessage());
        return Future.succeededFuture();
    }
}
