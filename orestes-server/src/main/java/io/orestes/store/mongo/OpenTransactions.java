package io.orestes.store.mongo;

import com.mongodb.reactivestreams.client.MongoDatabase;
import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.conversions.Bson;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transactions that a process has open in MongoDB. When it is gone they stay, and with them what they have written, for as long as the
 * server lets any transaction take, a minute by default: nobody else can write the same objects meanwhile. Used on the store's context only.
 */
final class OpenTransactions {

    private static final Logger LOG = LoggerFactory.getLogger(OpenTransactions.class);
    private static final int PAGE = 100;
    private static final String SESSION = "lsid";

    private final MongoDatabase admin;
    private final Publishers publishers;

    OpenTransactions(MongoDatabase admin, Publishers publishers) {
        this.admin = admin;
        this.publishers = publishers;
    }

    /**
     * Has the server give up those of a process, by the name it gave when it connected. What it does not allow us to do is logged: then others wait until
     * it gives them up by itself.
     */
    Future<Void> end(String process) {
        return publishers
                .all(admin.aggregate(openOf(process), BsonDocument.class), PAGE)
                .compose(this::kill)
                .recover(failure -> Refusals.isOfAbsence(failure) ? warn(failure) : Future.failedFuture(failure));
    }

    /** Does what {@link #end} does, for a session that there never was; fails if that cannot be done. */
    Future<?> tryOut() {
        String nobody = UUID.randomUUID().toString();
        return publishers
                .all(admin.aggregate(openOf(nobody), BsonDocument.class), PAGE)
                .compose(none ->
                        kill(new BsonArray(List.of(new BsonDocument("id", new BsonBinary(UUID.randomUUID()))))));
    }

    private Future<Void> kill(List<BsonDocument> found) {
        // the command for no session at all ends those of all
        if (found.isEmpty()) {
            return Future.succeededFuture();
        }
        BsonArray sessions = new BsonArray();
        found.forEach(open ->
                sessions.add(new BsonDocument("id", open.getDocument(SESSION).get("id"))));
        return kill(sessions)
                .onSuccess(killed ->
                        LOG.info("Gave up {} transactions that a process which is gone had left", sessions.size()))
                .mapEmpty();
    }

    private Future<?> kill(BsonArray sessions) {
        return publishers.first(admin.runCommand(new BsonDocument("killSessions", sessions), BsonDocument.class));
    }

    private static List<Bson> openOf(String process) {
        BsonDocument mine = new BsonDocument("idleSessions", BsonBoolean.TRUE).append("allUsers", BsonBoolean.FALSE);
        BsonDocument theirs = new BsonDocument("appName", new BsonString(process))
                .append("transaction.parameters.autocommit", BsonBoolean.FALSE);
        return List.of(
                new BsonDocument("$currentOp", mine),
                new BsonDocument("$match", theirs),
                new BsonDocument("$project", new BsonDocument(SESSION, BsonBoolean.TRUE)));
    }

    private static Future<Void> warn(Throwable failure) {
        LOG.warn("Transactions of a process that is gone cannot be given up: {}", failure.getMessage());
        return Future.succeededFuture();
    }
}
