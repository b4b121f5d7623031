package io.orestes.http;

import io.orestes.caching.Caches;
import io.orestes.json.JsonWriter;
import io.orestes.model.Outcome;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.transaction.Transactions;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;

/** {@code /transaction}: begin, commit and abort (protocol §12). */
final class TransactionRoutes {

    private static final String TRANSACTIONS = "/transaction";

    private final Caller caller;
    private final Transactions transactions;
    private final Caches caches;

    TransactionRoutes(Caller caller, Transactions transactions, Caches caches) {
        this.caller = caller;
        this.transactions = transactions;
        this.caches = caches;
    }

    void mount(Routes routes) {
        routes.post(TRANSACTIONS, caller.known((ctx, principal) -> Future.succeededFuture(begin())))
                .put(TRANSACTIONS + "/:tid/committed", caller.known(this::commit))
                .put(TRANSACTIONS + "/:tid/aborted", caller.known(this::abort));
    }

    /** With the filter, so that the transaction reads no copy that was stale when it began. */
    private Reply begin() {
        String tid = transactions.begin();
        Buffer body = Buffer.buffer("{\"tid\":\"" + tid + "\",\"bloomFilter\":")
                .appendBuffer(caches.staleKeys().snapshot().body())
                .appendString("}");
        return Reply.json(201, body).with(HttpHeaders.LOCATION, Routes.BASE + TRANSACTIONS + "/" + tid);
    }

    private Future<Reply> commit(RoutingContext ctx, Principal principal) {
        return transactions
                .commit(principal, ctx.pathParam("tid"), Bodies.json(ctx))
                .map(outcomes -> Reply.json(200, JsonWriter.write(versions(outcomes))));
    }

    private static BsonArray versions(List<Outcome> outcomes) {
        BsonArray versions = new BsonArray();
        for (Outcome outcome : outcomes) {
            if (outcome instanceof StoredObject stored) {
                versions.add(new BsonDocument(stored.ref().id(), new BsonInt64(stored.version())));
            }
        }
        return versions;
    }

    private Future<Reply> abort(RoutingContext ctx, Principal principal) {
        transactions.abort(ctx.pathParam("tid"));
        return Future.succeededFuture(Reply.empty(204));
    }
}
