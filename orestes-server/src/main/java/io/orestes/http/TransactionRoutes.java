package io.orestes.http;

import io.orestes.caching.Caches;
import io.orestes.json.JsonWriter;
import io.orestes.model.Principal;
import io.orestes.transaction.Committed;
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
        routes.post(TRANSACTIONS, caller.known((ctx, principal) -> Future.succeededFuture(begin(ctx, principal))))
                .put(TRANSACTIONS + "/:tid/committed", caller.known(this::commit))
                .put(TRANSACTIONS + "/:tid/aborted", caller.known(this::abort));
    }

    /** With the filter, so that the transaction reads no copy that was stale when it began. */
    private Reply begin(RoutingContext ctx, Principal principal) {
        String tid = caller.countedBy(ctx.request(), principal)
                .map(counted -> transactions.begin(principal, counted))
                .orElseGet(() -> transactions.begin(principal));
        Buffer body = Buffer.buffer("{\"tid\":\"" + tid + "\",\"bloomFilter\":")
                .appendBuffer(caches.filter().body())
                .appendString("}");
        return Reply.json(201, body).with(HttpHeaders.LOCATION, Routes.BASE + TRANSACTIONS + "/" + tid);
    }

    private Future<Reply> commit(RoutingContext ctx, Principal principal) {
        return transactions
                .commit(principal, ctx.pathParam("tid"), Bodies.json(ctx))
                .map(written -> Reply.json(200, JsonWriter.write(versions(written))));
    }

    private static BsonArray versions(List<Committed> written) {
        BsonArray versions = new BsonArray();
        written.forEach(each -> versions.add(new BsonDocument(each.ref().id(), new BsonInt64(each.version()))));
        return versions;
    }

    private Future<Reply> abort(RoutingContext ctx, Principal principal) {
        return transactions.abort(principal, ctx.pathParam("tid")).map(Reply.empty(204));
    }
}
