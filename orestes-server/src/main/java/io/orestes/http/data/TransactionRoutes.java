package io.orestes.http.data;

import io.orestes.caching.PeerCacheAccess;
import io.orestes.http.body.RequestBodyParser;
import io.orestes.http.caller.RequestAuthenticator;
import io.orestes.http.protocol.ApiResponse;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.json.JsonWriter;
import io.orestes.model.Principal;
import io.orestes.transaction.CommittedVersion;
import io.orestes.transaction.TransactionManager;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;

/** {@code /transaction}: begin, commit and abort (protocol §12). */
public final class TransactionRoutes {

    private static final String TRANSACTIONS = "/transaction";

    private final RequestAuthenticator requestAuthenticator;
    private final TransactionManager transactionManager;
    private final PeerCacheAccess caches;

    public TransactionRoutes(
            RequestAuthenticator requestAuthenticator, TransactionManager transactionManager, PeerCacheAccess caches) {
        this.requestAuthenticator = requestAuthenticator;
        this.transactionManager = transactionManager;
        this.caches = caches;
    }

    public void mount(ApiRouter apiRouter) {
        apiRouter
                .post(
                        TRANSACTIONS,
                        requestAuthenticator.authenticated(
                                (ctx, principal) -> Future.succeededFuture(begin(ctx, principal))))
                .put(TRANSACTIONS + "/:tid/committed", requestAuthenticator.authenticated(this::commit))
                .put(TRANSACTIONS + "/:tid/aborted", requestAuthenticator.authenticated(this::abort));
    }

    /**
     * Begins a transaction. The response has the filter, so that the transaction reads no copy that
     * was stale at its start.
     */
    private ApiResponse begin(RoutingContext ctx, Principal principal) {
        String tid = requestAuthenticator
                .countingKey(ctx.request(), principal)
                .map(counted -> transactionManager.begin(principal, counted))
                .orElseGet(() -> transactionManager.begin(principal));
        Buffer body = Buffer.buffer("{\"tid\":\"" + tid + "\",\"bloomFilter\":")
                .appendBuffer(caches.sketchSnapshot().body())
                .appendString("}");
        return ApiResponse.json(201, body).with(HttpHeaders.LOCATION, ApiRouter.BASE + TRANSACTIONS + "/" + tid);
    }

    private Future<ApiResponse> commit(RoutingContext ctx, Principal principal) {
        return transactionManager
                .commit(principal, ctx.pathParam("tid"), RequestBodyParser.json(ctx))
                .map(written -> ApiResponse.json(200, JsonWriter.write(versions(written))));
    }

    private static BsonArray versions(List<CommittedVersion> written) {
        BsonArray versions = new BsonArray();
        written.forEach(each -> versions.add(new BsonDocument(each.ref().id(), new BsonInt64(each.version()))));
        return versions;
    }

    private Future<ApiResponse> abort(RoutingContext ctx, Principal principal) {
        return transactionManager.abort(principal, ctx.pathParam("tid")).map(ApiResponse.empty(204));
    }
}
