package io.orestes.http;

import io.orestes.json.JsonWriter;
import io.orestes.model.Principal;
import io.orestes.read.PreparedQueries;
import io.orestes.read.PreparedQuery;
import io.orestes.read.QueryReader;
import io.orestes.wire.Parameters;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import org.bson.BsonArray;
import org.bson.BsonValue;

/** {@code /query} and {@code /query/:qid}: prepared queries (protocol §10.5). Results are those of the ordinary query. */
final class PreparedQueryRoutes {

    private final Caller caller;
    private final PreparedQueries prepared;
    private final QueryReader queries;
    private final CachedReplies replies;

    PreparedQueryRoutes(Caller caller, PreparedQueries prepared, QueryReader queries, CachedReplies replies) {
        this.caller = caller;
        this.prepared = prepared;
        this.queries = queries;
        this.replies = replies;
    }

    void mount(Routes routes) {
        routes.get("/query", caller.admin(this::list))
                .post("/query", caller.admin(this::create))
                .get("/query/:qid", caller.known((ctx, principal) -> find(ctx).map(found -> json(found.toBson()))))
                .delete("/query/:qid", caller.admin(this::dispose))
                .get("/query/:qid/source", caller.known((ctx, principal) -> find(ctx)
                        .map(found -> json(found.query()))))
                .get("/query/:qid/parameters", caller.known((ctx, principal) -> find(ctx)
                        .map(found -> json(found.parameters()))))
                .get("/query/:qid/result", caller.known(this::result));
    }

    private Future<Reply> list(RoutingContext ctx, Principal admin) {
        return prepared.list().map(all -> {
            BsonArray list = new BsonArray();
            all.forEach(each -> list.add(each.toBson()));
            return json(list);
        });
    }

    private Future<Reply> create(RoutingContext ctx, Principal admin) {
        return prepared.create(Bodies.object(ctx)).map(stored -> Reply.json(201, JsonWriter.write(stored.toBson()))
                .with(HttpHeaders.LOCATION, Routes.BASE + stored.id()));
    }

    private Future<Reply> dispose(RoutingContext ctx, Principal admin) {
        return prepared.dispose(ctx.pathParam("qid")).map(done -> Reply.empty(204));
    }

    /** In memory it is kept under the key of the ordinary query, by other caches not at all: these could not be told of its end. */
    private Future<Reply> result(RoutingContext ctx, Principal principal) {
        int start = Parameters.number(ctx, "start", 0, 0);
        int count = Parameters.number(ctx, "count", -1, -1);
        Newness demanded = Newness.of(ctx.request());
        return find(ctx)
                .map(found -> prepared.request(found, name -> Parameters.text(ctx, name), start, count))
                .compose(request -> queries.query(principal, request, demanded.isFresh()))
                .map(answer -> CachedReplies.unshared(replies.reply(ctx.request(), demanded, answer), demanded))
                .map(reply -> reply.with(HttpHeaders.VARY, CachedReplies.BY_CALLER));
    }

    private Future<PreparedQuery> find(RoutingContext ctx) {
        return prepared.find(ctx.pathParam("qid"), Newness.of(ctx.request()).level());
    }

    private static Reply json(BsonValue value) {
        return Reply.json(200, JsonWriter.write(value));
    }
}
