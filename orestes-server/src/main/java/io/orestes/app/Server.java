package io.orestes.app;

import io.orestes.auth.Accounts;
import io.orestes.auth.Authenticator;
import io.orestes.auth.Credentials;
import io.orestes.auth.LoginService;
import io.orestes.auth.Passwords;
import io.orestes.auth.RequestLimits;
import io.orestes.auth.RootAccount;
import io.orestes.auth.ServerSecret;
import io.orestes.auth.Sessions;
import io.orestes.auth.TokenService;
import io.orestes.auth.UserTokens;
import io.orestes.caching.Caches;
import io.orestes.caching.SteadyClock;
import io.orestes.caching.purge.Purger;
import io.orestes.caching.purge.SharedCaches;
import io.orestes.caching.sketch.SketchFile;
import io.orestes.caching.sketch.StaleKeys;
import io.orestes.caching.ttl.TtlConfig;
import io.orestes.demo.DemoData;
import io.orestes.http.BodyBudget;
import io.orestes.http.HttpFront;
import io.orestes.http.HttpServices;
import io.orestes.http.UserServices;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.notify.LiveQueries;
import io.orestes.notify.LiveRequests;
import io.orestes.ops.Health;
import io.orestes.ops.Metrics;
import io.orestes.read.AggregateReader;
import io.orestes.read.BulkReader;
import io.orestes.read.CachedQueries;
import io.orestes.read.DepthReader;
import io.orestes.read.Explainer;
import io.orestes.read.ObjectReader;
import io.orestes.read.PreparedQueries;
import io.orestes.read.QueryParsing;
import io.orestes.read.QueryReader;
import io.orestes.read.ReadMetrics;
import io.orestes.read.Rendering;
import io.orestes.realtime.QueryMatching;
import io.orestes.realtime.RealtimeMetrics;
import io.orestes.schema.ClassData;
import io.orestes.schema.ClassIndexes;
import io.orestes.schema.SchemaChange;
import io.orestes.schema.SchemaRegistry;
import io.orestes.socket.LiveServices;
import io.orestes.store.embedded.EmbeddedObjectStore;
import io.orestes.transaction.Transactions;
import io.orestes.write.WritePipeline;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** One running server: every object is made here, by hand, and started and stopped in order. */
final class Server {

    private static final Duration SWEEP = Duration.ofSeconds(5);

    private final Vertx vertx;
    private final ServerConfig config;
    private final Clock clock = Clock.systemUTC();

    /** For everything about copies, whose times must not depend on how the system's clock is set meanwhile. */
    private final SteadyClock steady = new SteadyClock();

    private final EmbeddedObjectStore store;
    private final QueryMatching matching;
    private final Health health;
    private final boolean isFirstStart;
    private final List<HttpFront> fronts = new CopyOnWriteArrayList<>();
    private Optional<String> setupToken = Optional.empty();
    private Optional<LiveQueries> live = Optional.empty();
    private Optional<WritePipeline> writes = Optional.empty();
    private Optional<StaleKeys> staleKeys = Optional.empty();
    private Optional<CachedQueries> cached = Optional.empty();

    private Server(Vertx vertx, ServerConfig config, EmbeddedObjectStore store, boolean isFirstStart) {
        this.vertx = vertx;
        this.config = config;
        this.store = store;
        this.isFirstStart = isFirstStart;
        this.matching = QueryMatching.start(vertx, config.grid(), config.maxQueries());
        this.health = new Health(() -> store.indexes("User"));
    }

    /** Completes when requests are accepted; a start that fails leaves nothing behind. */
    static Future<Server> start(ServerConfig config) {
        Vertx vertx = Vertx.vertx(new VertxOptions()
                .setPreferNativeTransport(true)
                .setEventLoopPoolSize(Runtime.getRuntime().availableProcessors())
                .setWorkerPoolSize(8));
        try {
            boolean isFirstStart = Files.notExists(config.store().directory().resolve("ORESTES"));
            EmbeddedObjectStore store = EmbeddedObjectStore.open(vertx, config.store());
            Server server = new Server(vertx, config, store, isFirstStart);
            return server.open().map(server).recover(failure -> server.stop()
                    .transform(stopped -> Future.failedFuture(failure)));
        } catch (RuntimeException failure) {
            return vertx.close().transform(closed -> Future.failedFuture(failure));
        }
    }

    /** Base of all URLs, without a slash at the end. */
    String url() {
        return "http://" + config.http().host() + ":" + fronts.get(0).port();
    }

    /** Every method and path of the interface, e.g. {@code GET /db/:bucket}. */
    List<String> endpoints() {
        return fronts.get(0).endpoints();
    }

    /** What the first administrator needs to set the root password; absent once there is one. */
    Optional<String> setupToken() {
        return setupToken;
    }

    /** Takes no more requests, finishes those under way, and gives everything back. */
    Future<Void> stop() {
        health.draining();
        Future<Void> released = onEachFront(HttpFront::leaveSubscribers)
                .onComplete(left -> refuseSubscribers())
                .compose(left -> onEachFront(front -> vertx.undeploy(front.deploymentID())))
                .compose(closed -> matching.close())
                .onSuccess(closed -> cached.ifPresent(CachedQueries::invalidateAll))
                .compose(closed -> rememberSketch())
                .compose(closed -> store.close());
        return Future.future(
                promise -> released.onComplete(done -> vertx.close().onComplete(closed -> promise.handle(done))));
    }

    private Future<?> onEachFront(Function<HttpFront, Future<?>> action) {
        return Future.join(fronts.stream().<Future<?>>map(action).toList()).otherwiseEmpty();
    }

    /** Those who come too late to be left. */
    private void refuseSubscribers() {
        live.ifPresent(queries -> queries.failAll(new ApiException(ErrorCode.UNAVAILABLE, "The server is stopping")));
    }

    private Future<Void> open() {
        return SchemaRegistry.open(store, classData())
                .compose(schemas -> ServerSecret.of(store).compose(secret -> open(schemas, secret)));
    }

    private Future<Void> open(SchemaRegistry schemas, byte[] secret) {
        Metrics metrics = new Metrics();
        store.meter(metrics.registry());
        return Purger.start(
                        vertx, config.caching().purge(), config.caching().ttl().sharedMax(), metrics.registry())
                .compose(shared -> open(schemas, secret, metrics, shared));
    }

    private Future<Void> open(SchemaRegistry schemas, byte[] secret, Metrics metrics, SharedCaches shared) {
        Caches caches = new Caches(config.caching(), shared, steady, metrics.registry());
        if (!isFirstStart) {
            sketchFile().restore(caches.staleKeys());
        }
        Rendering rendering = new Rendering(schemas);
        QueryParsing parsing = new QueryParsing(schemas);
        TokenService tokens = new TokenService(secret, config.auth().sessionLifetime(), clock);
        Authenticator authenticator = new Authenticator(tokens, store);
        CachedQueries cachedQueries = new CachedQueries(vertx, caches, matching, config.maxLag(), steady);
        ReadMetrics.bind(metrics.registry(), cachedQueries);
        RealtimeMetrics.bind(metrics.registry(), matching);
        LiveQueries queries = new LiveQueries(vertx, matching, store, rendering, authenticator, config.live(), clock);
        WritePipeline writes =
                new WritePipeline(schemas, store, caches, matching, ref -> forgetRoles(authenticator, queries, ref));
        UserServices users = users(tokens, authenticator, queries);
        QueryReader reader = new QueryReader(
                schemas,
                parsing,
                store,
                caches,
                cachedQueries,
                rendering,
                config.query(),
                config.consistency(),
                steady);
        HttpServices services = new HttpServices(
                users,
                schemas,
                new ClassIndexes(store),
                caches,
                new ObjectReader(schemas, store, caches, rendering, config.consistency(), steady),
                reader,
                new DepthReader(schemas, store, reader, config.maxDepth()),
                new PreparedQueries(store, schemas, parsing, config.query()),
                new AggregateReader(schemas, parsing, store, rendering, config.query(), clock),
                new Explainer(authenticator, schemas, parsing, store),
                new BulkReader(store),
                writes,
                new Transactions(vertx, writes, config.transactions()),
                rendering,
                new LiveServices(
                        authenticator,
                        new LiveRequests(schemas, parsing, config.live()),
                        queries,
                        rendering,
                        config.live()),
                new BodyBudget(config.http().maxPendingBodies(), metrics.registry()),
                health,
                metrics);
        schemas.onChange(change -> announce(change, caches, queries));
        // a stale query result has to be gone before its write is answered; the push may come after
        matching.listen(InTurn.both((match, allowance) -> cachedQueries.accept(match), queries::accept));
        matching.listenToFailures(InTurn.both(cachedQueries::fail, queries::fail));
        matching.listenToLag(cachedQueries::suspend, cachedQueries::invalidateAll);
        Pulse.start(vertx, SWEEP, () -> sweep(cachedQueries, queries));
        Pulse.start(vertx, config.maxLag().dividedBy(QueryMatching.LAG_TURNS), matching::turn);
        live = Optional.of(queries);
        this.writes = Optional.of(writes);
        staleKeys = Optional.of(caches.staleKeys());
        cached = Optional.of(cachedQueries);
        return users.root()
                .bootstrap(config.rootPassword())
                .onSuccess(token -> setupToken = token)
                .compose(token -> config.demo() ? new DemoData(schemas, store).create() : Future.succeededFuture())
                .compose(ready -> HttpFront.clear(vertx, config.http()))
                .compose(ready -> listen(services));
    }

    private UserServices users(TokenService tokens, Authenticator authenticator, LiveQueries live) {
        Credentials credentials = new Credentials(store, user -> forgetRoles(authenticator, live, user));
        Passwords passwords = new Passwords(store, credentials, vertx, config.auth(), config.limits(), clock);
        return new UserServices(
                authenticator,
                new Accounts(store, passwords, tokens),
                new LoginService(store, passwords, tokens),
                new Sessions(tokens, store),
                new UserTokens(store, credentials, tokens),
                new RootAccount(store, passwords),
                new RequestLimits(config.limits(), clock));
    }

    private Future<Void> rememberSketch() {
        return vertx.executeBlocking(() -> {
                    staleKeys.ifPresent(this::save);
                    return true;
                })
                .mapEmpty();
    }

    /** Times that the next process would take for too early are worth less than none. */
    private void save(StaleKeys known) {
        if (steady.isBehind()) {
            sketchFile().discard();
        } else {
            sketchFile().save(known);
        }
    }

    private SketchFile sketchFile() {
        TtlConfig ttl = config.caching().ttl();
        Duration longest = ttl.browserMax().compareTo(ttl.sharedMax()) > 0 ? ttl.browserMax() : ttl.sharedMax();
        return new SketchFile(config.store().directory().resolve("sketch"), longest.plus(Caches.SLACK), steady);
    }

    private ClassData classData() {
        return new ClassData() {
            @Override
            public Future<?> drop(String bucket) {
                return writes.orElseThrow().drop(bucket);
            }

            @Override
            public Future<?> rewritten(String bucket) {
                return writes.orElseThrow().rewritten(bucket);
            }

            @Override
            public void resumed() {
                sketchFile().discard();
            }
        };
    }

    private Future<Void> listen(HttpServices services) {
        DeploymentOptions perEventLoop =
                new DeploymentOptions().setInstances(Runtime.getRuntime().availableProcessors());
        return vertx.deployVerticle(() -> front(services), perEventLoop)
                .onSuccess(deployed -> health.ready())
                .mapEmpty();
    }

    private HttpFront front(HttpServices services) {
        HttpFront front = new HttpFront(config.http(), services, config.demo());
        fronts.add(front);
        return front;
    }

    /** Objects look different or are gone, and other callers may read them. */
    private static void announce(SchemaChange change, Caches caches, LiveQueries live) {
        caches.classesChanged(change.outdated());
        change.removed()
                .forEach(bucket ->
                        live.failAll(bucket, new ApiException(ErrorCode.BUCKET_NOT_FOUND, "The class was deleted")));
        change.otherwiseQueryable()
                .forEach(bucket -> live.failAll(
                        bucket, new ApiException(ErrorCode.PERMISSION_DENIED, "The rights to query were changed")));
        change.rewritten()
                .forEach(bucket -> live.failAll(
                        bucket,
                        new ApiException(
                                ErrorCode.SCHEMA_NOT_COMPATIBLE,
                                "Fields of the class were renamed, removed or converted; subscribe again")));
    }

    private void sweep(CachedQueries cached, LiveQueries queries) {
        cached.sweep();
        queries.sweep();
        matching.sweep();
    }

    private static void forgetRoles(Authenticator authenticator, LiveQueries live, ObjectRef written) {
        if (Authenticator.dependsOn(written)) {
            authenticator.forgetRoles();
            live.rightsWritten(written);
        }
    }
}
