package io.orestes.live;

import static io.orestes.store.Await.await;

import io.invalidb.node.GridOptions;
import io.invalidb.query.filter.Filter;
import io.orestes.auth.rights.RightsChange;
import io.orestes.auth.token.Authenticator;
import io.orestes.auth.token.Caller;
import io.orestes.auth.token.TokenService;
import io.orestes.invalidb.InvalidbClient;
import io.orestes.live.event.EventId;
import io.orestes.live.event.EventSelection;
import io.orestes.live.request.LiveConfig;
import io.orestes.live.request.SubscriptionOptions;
import io.orestes.live.request.SubscriptionRequest;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.read.response.ConsistencyDefaults;
import io.orestes.read.response.JsonRenderer;
import io.orestes.read.response.ReaderDependencies;
import io.orestes.schema.SchemaRegistry;
import io.orestes.store.ObjectStore;
import io.orestes.store.embedded.EmbeddedObjectStore;
import io.orestes.store.embedded.database.EmbeddedStoreConfig;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.bson.BsonDocument;

/** Fixture for live queries on the class Todo, over the real store and the real grid. */
final class LiveQueryFixture implements AutoCloseable {

    static final String BUCKET = "Todo";

    final Vertx vertx = Vertx.vertx();

    final DelayingStore held = new DelayingStore(BUCKET);
    final DelayingStore roleQueries = new DelayingStore("Role");
    final InvalidbClient matching = InvalidbClient.start(vertx, GridOptions.defaults(), 100);
    final Authenticator authenticator;
    final LiveQueries live;
    private final ObjectStore store;

    LiveQueryFixture(Path folder, TokenService tokens) {
        store = EmbeddedObjectStore.open(vertx, EmbeddedStoreConfig.at(folder.resolve("data")));
        authenticator = new Authenticator(tokens, roleQueries.over(store));
        LiveConfig config = new SmallLiveLimits().config();
        SchemaRegistry schemas = schemas();
        live = new LiveQueries(
                vertx,
                matching,
                new ReaderDependencies(
                        schemas,
                        held.over(store),
                        new JsonRenderer(schemas),
                        ConsistencyDefaults.NONE,
                        InstantSource.system()),
                authenticator,
                config);
        matching.listen(live::accept);
        matching.listenToFailures(live::fail);
    }

    private SchemaRegistry schemas() {
        SchemaRegistry schemas = await(SchemaRegistry.open(store));
        await(schemas.merge(BsonDocument.parse("{class: '/db/" + BUCKET + "'}"), Principal.SERVER));
        return schemas;
    }

    /** Subscribes to everything, on a context of its own. */
    Future<Subscription> open(Caller caller, SubscriptionListener listener) {
        return open(caller, listener, Optional.empty());
    }

    Future<Subscription> open(Caller caller, SubscriptionListener listener, Optional<EventId> resumeAfter) {
        return open(caller, listener, resumeAfter, vertx.getOrCreateContext());
    }

    Future<Subscription> open(
            Caller caller, SubscriptionListener listener, Optional<EventId> resumeAfter, Context home) {
        return open(caller, Filter.ALL, listener, resumeAfter, home);
    }

    /** Subscribes to a filter, on a context of its own. */
    Future<Subscription> open(Filter filter, SubscriptionListener listener) {
        return open(Caller.ANONYMOUS, filter, listener, Optional.empty(), vertx.getOrCreateContext());
    }

    private Future<Subscription> open(
            Caller caller, Filter filter, SubscriptionListener listener, Optional<EventId> resumeAfter, Context home) {
        SubscriptionRequest request = new SubscriptionRequest(
                caller,
                BUCKET,
                filter,
                null,
                null,
                new SubscriptionOptions(true, EventSelection.of(List.of(), List.of()), resumeAfter.orElse(null)));
        return open(request, listener, home);
    }

    Future<Subscription> open(SubscriptionRequest request, SubscriptionListener listener, Context home) {
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
                .onSuccess(live::onRulesWritten)
                .compose(matching::publish));
    }

    /** Deletes a Todo as the write path does. */
    void remove(String key) {
        await(store.delete(new ObjectRef(BUCKET, key), Precondition.none(), Principal.SERVER)
                .compose(gone -> matching.publish(gone.orElseThrow())));
    }

    /** Writes a user or role as the write path does. */
    void write(ObjectRef userOrRole, String json) {
        tell(RightsChange.of(await(
                        store.replace(userOrRole, BsonDocument.parse(json), Precondition.none(), Principal.SERVER)))
                .orElseThrow());
    }

    /** Writes this number of roles concurrently. */
    void writeRoles(int count, String json) {
        List<Future<StoredObject>> written = IntStream.range(0, count)
                .mapToObj(i -> store.insert(new ObjectRef("Role", "r" + i), BsonDocument.parse(json)))
                .toList();
        written.forEach(role -> tell(RightsChange.of(await(role)).orElseThrow()));
    }

    private void tell(RightsChange change) {
        authenticator.evict(change);
        live.onRightsChange(change);
    }

    /** Deletes a user or role as the write path does. */
    void delete(ObjectRef userOrRole) {
        tell(RightsChange.of(await(store.delete(userOrRole, Precondition.none(), Principal.SERVER))
                        .orElseThrow())
                .orElseThrow());
    }

    @Override
    public void close() {
        held.release();
        await(matching.close());
        await(store.close());
        await(vertx.close());
    }
}
