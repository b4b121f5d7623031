package io.orestes.app;

import io.orestes.auth.Accounts;
import io.orestes.auth.Authenticator;
import io.orestes.auth.Credentials;
import io.orestes.auth.LoginService;
import io.orestes.auth.Passwords;
import io.orestes.auth.RequestLimits;
import io.orestes.auth.RightsChange;
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
import io.orestes.coordination.CoordinationConfig;
import io.orestes.coordination.Coordinator;
import io.orestes.coordination.local.LocalGroup;
import io.orestes.coordination.zookeeper.ZooKeeperCoordinator;
import io.orestes.demo.DemoData;
import io.orestes.foreign.ForeignState;
import io.orestes.foreign.ForeignWrites;
import io.orestes.foreign.KnownStates;
import io.orestes.http.BodyBudget;
import io.orestes.http.DiskBudget;
import io.orestes.http.HttpFront;
import io.orestes.http.HttpServices;
import io.orestes.http.ReadCounts;
import io.orestes.http.UserServices;
import io.orestes.logging.LogSetup;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Outcome;
import io.orestes.model.StoredObject;
import io.orestes.notify.LiveExplainer;
import io.orestes.notify.LiveInspection;
import io.orestes.notify.LiveQueries;
import io.orestes.notify.LiveRequests;
import io.orestes.ops.ChangesState;
import io.orestes.ops.Health;
import io.orestes.ops.Metrics;
import io.orestes.peers.Group;
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
import io.orestes.realtime.MatchingLatency;
import io.orestes.realtime.QueryMatching;
import io.orestes.realtime.RealtimeMetrics;
import io.orestes.schema.ClassData;
import io.orestes.schema.ClassIndexes;
import io.orestes.schema.SchemaChange;
import io.orestes.schema.SchemaRegistry;
import io.orestes.socket.LiveServices;
import io.orestes.store.ChangeFeed;
import io.orestes.store.ObjectStore;
import io.orestes.store.SharedStore;
import io.orestes.transaction.CommitLog;
import io.orestes.transaction.LockHolder;
import io.orestes.transaction.Transactions;
import io.orestes.wire.AnswerRoom;
import io.orestes.write.OtherServers;
import io.orestes.write.WritePipeline;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.net.BindException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** One running server: every object is made here, by hand, and started and stopped in order. */
final class Server {

    private static final Duration SWEEP = Duration.ofSeconds(5);
    private static final Duration SWEEP_COMMITS = Duration.ofMinutes(1);
    private static final Duration CATCH_UP = Duration.ofSeconds(10);

    /** How long after its last moment it is known how a transaction ended. */
    private static final Duration ENDS_KEPT = Duration.ofMinutes(10);

    private final Vertx vertx;
    private final ServerConfig config;
    private final Clock clock = Clock.systemUTC();

    /** For everything about copies, whose times must not depend on how the system's clock is set meanwhile. */
    private final SteadyClock steady = new SteadyClock();

    private final Storage storage;
    private final ObjectStore store;
    private final CommitLog commits;
    private final Coordinator coordinator;
    private final QueryMatching matching;
    private final Health health;
    private final List<HttpFront> fronts = new CopyOnWriteArrayList<>();
    private Optional<String> setupToken = Optional.empty();
    private Optional<LiveQueries> live = Optional.empty();
    private Optional<WritePipeline> writes = Optional.empty();
    private Optional<StaleKeys> staleKeys = Optional.empty();
    private Optional<CachedQueries> cached = Optional.empty();
    private Optional<Group> group = Optional.empty();
    private Optional<SharedSchema> sharedSchema = Optional.empty();
    private Optional<ForeignWrites> foreign = Optional.empty();
    private final KnownStates known = new KnownStates();

    private Server(Vertx vertx, ServerConfig config, Storage storage) {
        this.vertx = vertx;
        this.config = config;
        this.storage = storage;
        this.store = storage.store();
        this.commits =
                new CommitLog(store, clock, config.transactions().timeout().plus(ENDS_KEPT));
        this.coordinator = config.group()
                .<Coordinator>map(setup -> new ZooKeeperCoordinator(vertx, setup.zookeeper(), this::resolve))
                .orElseGet(() -> LocalGroup.alone(vertx, CoordinationConfig.DEFAULTS));
        this.matching = QueryMatching.start(vertx, config.grid(), config.maxQueries());
        this.health = new Health(storage.state(), storage.probe());
    }

    /** Completes when requests are accepted; a start that fails leaves nothing behind. */
    static Future<Server> start(ServerConfig config) {
        Vertx vertx = Vertx.vertx(new VertxOptions()
                .setPreferNativeTransport(true)
                .setEventLoopPoolSize(Runtime.getRuntime().availableProcessors())
                .setWorkerPoolSize(8));
        try {
            Future<Storage> opening = Storage.open(vertx, config);
            // closing Vert.x is no part of a future of its own contexts
            return Future.future(started -> opening.onSuccess(storage -> start(vertx, config, storage, started))
                    .onFailure(failure -> fail(vertx, failure, started)));
        } catch (RuntimeException failure) {
            return Future.future(started -> fail(vertx, failure, started));
        }
    }

    private static void start(Vertx vertx, ServerConfig config, Storage storage, Promise<Server> started) {
        Server server = new Server(vertx, config, storage);
        server.open().map(server).onSuccess(started::complete).onFailure(failure -> server.stop()
                .onComplete(stopped -> started.fail(failure)));
    }

    private static void fail(Vertx vertx, Throwable failure, Promise<Server> started) {
        vertx.close().onComplete(closed -> started.fail(failure));
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
        Future<Void> released = leaveSubscribers()
                .onComplete(left -> refuseSubscribers())
                .compose(left -> onEachFront(front -> vertx.undeploy(front.deploymentID())))
                .compose(closed -> foreign.map(ForeignWrites::stop).orElseGet(Future::succeededFuture))
                .compose(closed -> matching.close())
                .onSuccess(closed -> cached.ifPresent(CachedQueries::invalidateAll))
                .compose(closed -> leaveGroup())
                .compose(left -> rememberSketch())
                .compose(closed -> store.close());
        return Future.future(
                promise -> released.onComplete(done -> vertx.close().onComplete(closed -> promise.handle(done))));
    }

    private Future<?> leaveSubscribers() {
        return onEachFront(HttpFront::leaveSubscribers);
    }

    private Future<?> onEachFront(Function<HttpFront, Future<?>> action) {
        return Future.join(fronts.stream().<Future<?>>map(action).toList()).otherwiseEmpty();
    }

    /** Those who come too late to be left. */
    private void refuseSubscribers() {
        live.ifPresent(queries -> queries.failAll(new ApiException(ErrorCode.UNAVAILABLE, "The server is stopping")));
    }

    /** What became of whoever held locks of the group and is gone. */
    private Future<Void> resolve(String lock) {
        return GroupSchema.isTurn(lock) ? Future.succeededFuture() : resolve(LockHolder.parse(lock));
    }

    /** What it has open in the store is given up first: it would be in the way of finding out what is committed. */
    private Future<Void> resolve(LockHolder gone) {
        return storage.shared()
                .map(objects -> objects.abandon(gone.process()))
                .orElseGet(Future::succeededFuture)
                .compose(given -> commits.resolve(gone.tid()));
    }

    private Future<Void> open() {
        Future<SchemaRegistry> opened = config.group().isEmpty()
                ? SchemaRegistry.open(store, classData())
                : SchemaRegistry.open(
                        store,
                        classData(),
                        new GroupSchema(
                                () -> group.orElseThrow(), () -> sharedSchema.orElseThrow(), coordinator.locks()));
        return opened.compose(schemas -> ServerSecret.of(store).compose(secret -> open(schemas, secret)));
    }

    private Future<Void> open(SchemaRegistry schemas, byte[] secret) {
        Metrics metrics = new Metrics();
        storage.meters().accept(metrics.registry());
        return Purger.start(
                        vertx, config.caching().purge(), config.caching().ttl().sharedMax(), metrics.registry())
                .compose(shared -> open(schemas, secret, metrics, shared));
    }

    private Future<Void> open(SchemaRegistry schemas, byte[] secret, Metrics metrics, SharedCaches shared) {
        Caches caches = new Caches(config.caching(), shared, steady, metrics.registry());
        group = config.group().map(setup -> new Group(vertx, setup.links(longestTtl()), coordinator, secret, caches));
        if (group.isEmpty() && !storage.isNew()) {
            sketchFile().restore(caches.staleKeys());
        }
        Rendering rendering = new Rendering(schemas);
        QueryParsing parsing = new QueryParsing(schemas);
        TokenService tokens = new TokenService(secret, config.auth().sessionLifetime(), clock);
        Authenticator authenticator = new Authenticator(
                tokens, store, () -> group.map(Group::isCurrent).orElse(true));
        CachedQueries cachedQueries = new CachedQueries(vertx, caches, matching, config.maxLag(), steady);
        ReadMetrics.bind(metrics.registry(), cachedQueries);
        MatchingLatency latency = RealtimeMetrics.bind(metrics.registry(), matching);
        LiveQueries queries =
                new LiveQueries(vertx, matching, store, schemas, rendering, authenticator, config.live(), clock);
        WritePipeline writes = new WritePipeline(
                schemas,
                store,
                caches,
                matching,
                outcome -> {
                    tellOfRights(authenticator, queries, outcome);
                    storage.shared().ifPresent(objects -> objects.evictBefore(outcome));
                    storage.changes().ifPresent(feed -> known.note(outcome));
                },
                group.<OtherServers>map(others -> others).orElse(OtherServers.NONE));
        Credentials credentials = credentials(authenticator, queries);
        Passwords passwords = new Passwords(store, credentials, vertx, config.auth(), config.limits(), clock);
        UserServices users = users(tokens, authenticator, credentials, passwords);
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
        LiveRequests requests = new LiveRequests(schemas, parsing, config.live());
        AnswerRoom answers = AnswerRoom.ofMemory(vertx, config.http().bodyTimeout(), metrics.registry());
        HttpServices services = new HttpServices(
                users,
                schemas,
                new ClassIndexes(store),
                caches,
                new ObjectReader(schemas, store, caches, rendering, config.consistency(), steady),
                reader,
                new DepthReader(vertx, schemas, store, reader, config.consistency(), config.maxDepth()),
                new PreparedQueries(store, schemas, parsing, config.query()),
                new AggregateReader(schemas, parsing, store, rendering, config.query(), config.consistency(), clock),
                new Explainer(authenticator, schemas, parsing, store),
                new LiveExplainer(requests, queries, matching, store, group.isPresent()),
                new LiveInspection(queries, matching, latency),
                new BulkReader(store),
                writes,
                new Transactions(
                        vertx,
                        writes,
                        config.transactions(),
                        secret,
                        coordinator.locks(),
                        storage.shared().map(SharedStore::process).orElse(""),
                        commits,
                        clock),
                rendering,
                new LiveServices(
                        authenticator,
                        requests,
                        queries,
                        rendering,
                        config.live(),
                        answers,
                        caches::clientFilter,
                        () -> group.map(Group::isWhole).orElse(true)),
                new BodyBudget(config.http().maxPendingBodies(), metrics.registry()),
                new DiskBudget(),
                answers,
                new ReadCounts(metrics.registry()),
                health,
                new ServerInsight(vertx, coordinator, group, matching, passwords),
                metrics,
                config.settings(),
                LogSetup.recent());
        schemas.onChange(change -> announce(change, caches, queries));
        // a stale query result has to be gone before its write is answered; the push may come after
        matching.listen(InTurn.both((match, allowance) -> cachedQueries.accept(match), queries::accept));
        matching.listenToFailures(InTurn.both(cachedQueries::fail, queries::fail));
        matching.listenToLag(cachedQueries::suspend, cachedQueries::invalidateAll);
        Pulse.start(vertx, SWEEP, () -> sweep(cachedQueries, queries, caches));
        Pulse.start(vertx, SWEEP_COMMITS, this::forgetCommits);
        Pulse.start(vertx, CATCH_UP, this::catchUp);
        Pulse.start(vertx, config.maxLag().dividedBy(QueryMatching.LAG_TURNS), matching::turn);
        live = Optional.of(queries);
        this.writes = Optional.of(writes);
        staleKeys = Optional.of(caches.staleKeys());
        cached = Optional.of(cachedQueries);
        sharedSchema = storage.shared().map(objects -> new SharedSchema(vertx, schemas, objects));
        Optional<Neighbour> neighbour = storage.shared()
                .map(objects -> new Neighbour(
                        sharedSchema.orElseThrow(),
                        new OrphanedTransactions(vertx, objects),
                        writes,
                        caches,
                        cachedQueries,
                        queries,
                        authenticator,
                        known,
                        () -> {
                            var unused = leaveSubscribers();
                        }));
        foreign = storage.changes().map(feed -> foreignWrites(feed, schemas, neighbour.orElseThrow(), metrics));
        return group.map(members -> enter(members, neighbour.orElseThrow()))
                .orElseGet(Future::succeededFuture)
                .onSuccess(entered -> storage.shared().ifPresent(objects -> objects.join(this::tellOfIndexes)))
                .onSuccess(entered -> foreign.ifPresent(changes -> changes.start(coordinator)))
                .compose(entered -> commits.prepare())
                .compose(prepared -> users.root().bootstrap(config.rootPassword()))
                .onSuccess(token -> setupToken = token)
                .compose(token -> config.demo() ? new DemoData(schemas, store).create() : Future.succeededFuture())
                .compose(ready -> HttpFront.clear(vertx, config.http()))
                .compose(ready -> listen(services));
    }

    private Future<Void> enter(Group members, Neighbour neighbour) {
        GroupSetup setup = config.group().orElseThrow();
        String process = storage.shared().map(SharedStore::process).orElse("");
        return members.enter(process, neighbour)
                .recover(failure -> Future.failedFuture(
                        failure instanceof IOException
                                ? new BindException(setup.host() + ":" + setup.port() + ": " + failure.getMessage())
                                : UnusableGroupException.of(
                                        failure, setup.zookeeper().servers())));
    }

    private Future<Void> tellOfIndexes(String bucket) {
        return group.map(others -> others.indexesChanged(bucket)).orElseGet(Future::succeededFuture);
    }

    private Credentials credentials(Authenticator authenticator, LiveQueries live) {
        return new Credentials(store, user -> {
            tellOfRights(authenticator, live, RightsChange.of(user));
            return group.map(others -> others.rightsChanged(user)).orElseGet(Future::succeededFuture);
        });
    }

    private UserServices users(
            TokenService tokens, Authenticator authenticator, Credentials credentials, Passwords passwords) {
        return new UserServices(
                authenticator,
                new Accounts(store, passwords, tokens),
                new LoginService(store, passwords, tokens),
                new Sessions(tokens, store),
                new UserTokens(store, credentials, tokens),
                new RootAccount(store, passwords),
                new RequestLimits(config.limits(), clock));
    }

    private ForeignWrites foreignWrites(ChangeFeed feed, SchemaRegistry schemas, Neighbour neighbour, Metrics metrics) {
        ForeignWrites reader = new ForeignWrites(
                vertx,
                feed,
                neighbour.writes()::tell,
                known,
                bucket -> schemas.current()
                        .find(bucket)
                        .filter(type -> !type.embedded())
                        .isPresent(),
                bucket -> missed(bucket, neighbour),
                metrics.registry());
        health.readsChanges(() -> told(reader.state()));
        return reader;
    }

    private Future<Void> missed(String bucket, Neighbour neighbour) {
        neighbour.missed(bucket);
        return missedByOthers(bucket);
    }

    private Future<Void> missedByOthers(String bucket) {
        return group.map(others -> others.missed(bucket)).orElseGet(Future::succeededFuture);
    }

    private static ChangesState told(ForeignState state) {
        return new ChangesState(state.role().name().toLowerCase(Locale.ROOT), state.behind());
    }

    private Future<Void> leaveGroup() {
        return group.map(Group::leave)
                .orElseGet(Future::succeededFuture)
                .compose(left -> coordinator.close())
                .otherwiseEmpty();
    }

    private Future<Void> rememberSketch() {
        return vertx.executeBlocking(() -> {
                    staleKeys.filter(known -> group.isEmpty()).ifPresent(this::save);
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
        return new SketchFile(config.store().directory().resolve("sketch"), longestTtl(), steady);
    }

    /** The longest time for which any cache holds what this server hands out. */
    private Duration longestTtl() {
        TtlConfig ttl = config.caching().ttl();
        Duration longest = ttl.browserMax().compareTo(ttl.sharedMax()) > 0 ? ttl.browserMax() : ttl.sharedMax();
        return longest.plus(Caches.SLACK);
    }

    private ClassData classData() {
        return new ClassData() {
            @Override
            public Future<?> drop(String bucket, Runnable guard) {
                return writes.orElseThrow().drop(bucket, guard);
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

    /** Who changed the schema may have died before it told anybody. */
    private void catchUp() {
        if (group.isPresent()) {
            sharedSchema.ifPresent(SharedSchema::catchUp);
        }
    }

    /** What is not forgotten now is the next time. */
    private void forgetCommits() {
        var unused = commits.sweep();
    }

    private void sweep(CachedQueries cached, LiveQueries queries, Caches caches) {
        caches.sweep();
        cached.sweep();
        queries.sweep();
        matching.sweep();
    }

    private static void tellOfRights(Authenticator authenticator, LiveQueries live, Outcome outcome) {
        RightsChange.of(outcome).ifPresent(change -> tellOfRights(authenticator, live, change));
        if (outcome instanceof StoredObject stored) {
            live.rulesWritten(stored);
        }
    }

    static void tellOfRights(Authenticator authenticator, LiveQueries live, RightsChange change) {
        authenticator.forget(change);
        live.rightsWritten(change);
    }
}
