package io.orestes.notify;

import static io.orestes.store.Await.await;

import io.invalidb.aggregation.AggregateBounds;
import io.invalidb.model.Operation;
import io.invalidb.node.GridOptions;
import io.invalidb.query.Filter;
import io.orestes.auth.Authenticator;
import io.orestes.auth.Caller;
import io.orestes.auth.TokenService;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.read.Rendering;
import io.orestes.realtime.QueryMatching;
import io.orestes.schema.SchemaRegistry;
import io.orestes.store.ObjectStore;
import io.orestes.store.embedded.EmbeddedObjectStore;
import io.orestes.store.embedded.StoreConfig;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/** Live queries on the class Todo over the real store and the real grid, and what their tests do with them. */
final class LiveScene implements AutoCloseable {

    static final String BUCKET = "Todo";

    /** Events kept for each query. */
    static final int RETAINED = 64;

    final Vertx vertx = Vertx.vertx();
    final HeldStore held = new HeldStore(BUCKET);
    final QueryMatching matching = QueryMatching.start(vertx, GridOptions.defaults(), 100);
    final Authenticator authenticator;
    final LiveQueries live;
    private final ObjectStore store;

    LiveScene(Path folder, TokenService tokens) {
        store = EmbeddedObjectStore.open(vertx, StoreConfig.at(folder.resolve("data")));
        authenticator = new Authenticator(tokens, store);
        LiveConfig config = new LiveConfig(
                Duration.ofSeconds(30),
                RETAINED,
                1 << 20,
                1_000,
                500,
                10,
                Duration.ofSeconds(1),
                new AggregateBounds(10, 5, 1 << 20),
                1 << 20,
                100,
                Duration.ofSeconds(15),
                Duration.ofMillis(5));
        live = new LiveQueries(
                vertx,
                matching,
                held.over(store),
                new Rendering(schemas()),
                authenticator,
                config,
                InstantSource.system());
        matching.listen(live::accept);
        matching.listenToFailures(live::fail);
    }

    private SchemaRegistry schemas() {
        SchemaRegistry schemas = await(SchemaRegistry.open(store));
        await(schemas.merge(BsonDocument.parse("{class: '/db/" + BUCKET + "'}"), Principal.SERVER));
        return schemas;
    }

    /** Subscribes to everything, on a context of its own. */
    Future<Subscription> open(Caller caller, LiveListener listener) {
        return open(caller, listener, Optional.empty());
    }

    Future<Subscription> open(Caller caller, LiveListener listener, Optional<EventId> resumeAfter) {
        return open(caller, listener, resumeAfter, vertx.getOrCreateContext());
    }

    Future<Subscription> open(Caller caller, LiveListener listener, Optional<EventId> resumeAfter, Context home) {
        return open(caller, Filter.ALL, listener, resumeAfter, home);
    }

    /** Subscribes to a filter, on a context of its own. */
    Future<Subscription> open(Filter filter, LiveListener listener) {
        return open(Caller.ANONYMOUS, filter, listener, Optional.empty(), vertx.getOrCreateContext());
    }

    private Future<Subscription> open(
            Caller caller, Filter filter, LiveListener listener, Optional<EventId> resumeAfter, Context home) {
        LiveRequest request = new LiveRequest(
                caller,
                BUCKET,
                filter,
                Optional.empty(),
                Optional.empty(),
                true,
                EventSelection.of(List.of(), List.of()),
                resumeAfter);
        return open(request, listener, home);
    }

    Future<Subscription> open(LiveRequest request, LiveListener listener, Context home) {
        return Future.future(promise ->
                home.runOnContext(ignored -> live.open(request, listener, home).onComplete(promise)));
    }

    /** Ends a subscription and waits until it has ended. */
    void close(Subscription subscription) {
        await(Future.<Void>future(promise -> subscription.home().runOnContext(ignored -> {
            subscription.close();
            promise.complete();
        })));
    }

    /** Writes a Todo as the write path does: when this returns, the write is acknowledged. */
    void write(String key) {
        write(key, new BsonDocument());
    }

    void write(String key, BsonDocument fields) {
        await(store.replace(new ObjectRef(BUCKET, key), fields, Precondition.none(), Principal.SERVER)
                .compose(stored ->
                        matching.publish(stored, stored.version() == 1 ? Operation.INSERT : Operation.UPDATE)));
    }

    /** Writes a user or role as the write path does. */
    void write(ObjectRef userOrRole, String json) {
        await(store.replace(userOrRole, BsonDocument.parse(json), Precondition.none(), Principal.SERVER));
        authenticator.forgetRoles();
        live.rightsWritten(userOrRole);
    }

    /** Deletes a user or role as the write path does. */
    void delete(ObjectRef userOrRole) {
        await(store.delete(userOrRole, Precondition.none(), Principal.SERVER));
        authenticator.forgetRoles();
        live.rightsWritten(userOrRole);
    }

    @Override
    public void close() {
        held.release();
        await(matching.close());
        await(store.close());
        await(vertx.close());
    }
}
