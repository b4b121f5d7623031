package io.orestes.http;

import io.orestes.json.JsonWriter;
import io.orestes.model.Principal;
import io.orestes.schema.ClassIndexes;
import io.orestes.schema.ClassSchema;
import io.orestes.schema.SchemaRegistry;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code /index/:bucket}: declared indexes (protocol §11). */
final class IndexRoutes {

    private final Caller caller;
    private final SchemaRegistry schemas;
    private final ClassIndexes indexes;

    IndexRoutes(Caller caller, SchemaRegistry schemas, ClassIndexes indexes) {
        this.caller = caller;
        this.schemas = schemas;
        this.indexes = indexes;
    }

    void mount(Routes routes) {
        routes.get("/index/:bucket", caller.known(this::list))
                .post("/index/:bucket", caller.admin(this::change))
                .delete("/index/:bucket", caller.admin(this::dropAll));
    }

    private Future<Reply> list(RoutingContext ctx, Principal principal) {
        return indexes.list(type(ctx)).map(list -> Reply.json(200, JsonWriter.write(list)));
    }

    private Future<Reply> change(RoutingContext ctx, Principal admin) {
        long form = indexes.form(ObjectPaths.bucket(ctx.request()));
        return indexes.change(type(ctx), form, Bodies.object(ctx)).map(done -> Reply.empty(202));
    }

    private Future<Reply> dropAll(RoutingContext ctx, Principal admin) {
        return indexes.dropAll(type(ctx)).map(done -> Reply.empty(202));
    }

    private ClassSchema type(RoutingContext ctx) {
        return schemas.current().entity(ObjectPaths.bucket(ctx.request()));
    }
}
