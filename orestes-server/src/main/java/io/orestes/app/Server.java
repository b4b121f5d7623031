package io.orestes.app;

import io.orestes.auth.account.BuiltInAccounts;
import io.orestes.auth.account.LoginService;
import io.orestes.auth.account.SessionService;
import io.orestes.auth.account.UserRegistration;
import io.orestes.auth.limit.LoginThrottle;
import io.orestes.auth.limit.RequestRateLimiter;
import io.orestes.auth.password.CredentialStore;
import io.orestes.auth.password.PasswordHasher;
import io.orestes.auth.password.PasswordService;
import io.orestes.auth.rights.RightsChange;
import io.orestes.auth.token.Authenticator;
import io.orestes.auth.token.TokenService;
import io.orestes.auth.token.TokenSigningSecret;
import io.orestes.auth.token.UserTokens;
import io.orestes.caching.CacheAdministrator;
import io.orestes.caching.CacheReplica;
import io.orestes.caching.CacheReplication;
import io.orestes.caching.Caches;
import io.orestes.caching.SteadyClock;
import io.orestes.caching.purge.Purger;
import io.orestes.caching.purge.SharedCaches;
import io.orestes.caching.sketch.SketchFile;
import io.orestes.caching.sketch.StaleKeys;
import io.orestes.caching.ttl.TtlConfig;
import io.orestes.changefeed.ChangeFeedConsumer;
import io.orestes.changefeed.ChangeFeedConsumerState;
import io.orestes.changefeed.RecentWrites;
import io.orestes.coordination.CoordinationConfig;
import io.orestes.coordination.Coordinator;
import io.orestes.coordination.local.LocalGroup;
import io.orestes.coordination.zookeeper.ZooKeeperCoordinator;
import io.orestes.demo.DemoData;
import io.orestes.http.HttpServices;
import io.orestes.http.HttpVerticle;
import io.orestes.http.body.BodyBudget;
import io.orestes.http.body.DiskBudget;
import io.orestes.http.caching.ReadSourceCounters;
import io.orestes.http.caller.UserServices;
import io.orestes.invalidb.InvalidbClient;
import io.orestes.invalidb.MatchingLatency;
import io.orestes.invalidb.MatchingMetrics;
import io.orestes.live.LiveEventExplainer;
import io.orestes.live.LiveQueries;
import io.orestes.live.LiveQueryInspector;
import io.orestes.live.request.SubscriptionRequestParser;
import io.orestes.logging.LogSetup;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.WriteOutcome;
import io.orestes.ops.ChangeFeedState;
import io.orestes.ops.Health;
import io.orestes.ops.Metrics;
import io.orestes.read.explanation.PermissionExplainer;
import io.orestes.read.object.BucketScanner;
import io.orestes.read.object.ObjectReader;
import io.orestes.read.object.ReferenceExpander;
import io.orestes.read.query.AggregateReader;
import io.orestes.read.query.ParameterizedQueryRepository;
import io.orestes.read.query.QueryParser;
import io.orestes.read.query.QueryReader;
import io.orestes.read.response.JsonRenderer;
import io.orestes.read.watch.CachedQueryRegistry;
import io.orestes.read.watch.ReadMetrics;
import io.orestes.replication.PeerGroup;
import io.orestes.schema.ClassIndexes;
import io.orestes.schema.SchemaRegistry;
import io.orestes.schema.change.ClassDataHandler;
import io.orestes.schema.change.SchemaTransition;
import io.orestes.socket.LiveServices;
import io.orestes.store.ChangeFeed;
import io.orestes.store.ObjectStore;
import io.orestes.store.SharedStore;
import io.orestes.transaction.CommitLocks;
import io.orestes.transaction.CommitLog;
import io.orestes.transaction.InDoubtCommits;
import io.orestes.transaction.LockHolder;
import io.orestes.transaction.TransactionIds;
import io.orestes.transaction.TransactionManager;
import io.orestes.wire.ResponseBudget;
import io.orestes.write.WritePipeline;
import io.orestes.write.WritePublisher;
import io.orestes.write.WriteReplication;
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

/**
 * One running server: the composition root that creates, starts and stops all components in order.
 * It creates every object explicitly, without a framework.
 */
final class Server {

    private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(5);
    private static final Duration COMMIT_SWEEP_INTERVAL = Duration.ofMinutes(1);
    private static final Duration CATCH_UP_INTERVAL = Duration.ofSeconds(10);

    /** Time after its last activity for which the outcome of a transaction is retained. */
    private static final Duration COMMIT_RECORD_TTL = Duration.ofMinutes(10);

    private final Vertx vertx;
    private final ServerConfig config;
    private final Clock clock = Clock.systemUTC();

    /** Clock of all times of copies, which must not depend on changes of the system's clock. */
    private final SteadyClock steady = new SteadyClock();

    private final Storage storage;
    private final ObjectStore store;
    private final CommitLog commits;
    private final Coordinator coordinator;
    private final InvalidbClient matching;
    private final Health health;
    private final List<HttpVerticle> verticles = new CopyOnWriteArrayList<>();
    private Optional<String> setupToken = Optional.empty();
    private Optional<LiveQueries> live = Optional.empty();
    private Optional<WritePipeline> writes = Optional.empty();
    private Optional<StaleKeys> staleKeys = Optional.empty();
    private Optional<CachedQueryRegistry> cached = Optional.empty();
    private Optional<PeerGroup> group = Optional.empty();
    private Optional<SchemaFollower> sharedSchema = Optional.empty();
    private Optional<ChangeFeedConsumer> changeFeedConsumer = Optional.empty();
    private final RecentWrites recentWrites = new RecentWrites();

    private Server(Vertx vertx, ServerConfig config, Storage storage) {
        this.vertx = vertx;
        this.config = config;
        this.storage = storage;
        this.store = storage.store();
        this.commits =
                new CommitLog(store, clock, config.transactions().timeout().plus(COMMIT_RECORD_TTL));
        this.coordinator = config.group()
                .<Coordinator>map(setup -> new ZooKeeperCoordinator(vertx, setup.zookeeper(), this::resolve))
                .orElseGet(() -> LocalGroup.alone(vertx, CoordinationConfig.DEFAULTS));
        this.matching = InvalidbClient.start(vertx, config.grid(), config.maxQueries());
        this.health = new Health(storage.description(), storage.probe());
    }

    /**
     * Starts a server; completes when requests are accepted. A failed start releases all resources.
     */
    static Future<Server> start(ServerConfig config) {
        Vertx vertx = Vertx.vertx(new VertxOptions()
                .setPreferNativeTransport(true)
                .setEventLoopPoolSize(Runtime.getRuntime().availableProcessors())
                .setWorkerPoolSize(8));
        try {
            Future<Storage> opening = Storage.open(vertx, config);
            // The closing of Vert.x cannot be part of a future of its own contexts.
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

    /** Returns the base of all URLs, without a slash at the end. */
    String url() {
        return "http://" + config.http().host() + ":" + verticles.get(0).port();
    }

    /** Returns every method and path of the interface, e.g. {@code GET /db/:bucket}. */
    List<String> endpoints() {
        return verticles.get(0).endpoints();
    }

    /**
     * Returns the token with which the first administrator sets the root password; absent once it
     * is set.
     */
    Optional<String> setupToken() {
        return setupToken;
    }

    /** Stops to accept requests, completes those under way, and releases all resources. */
    Future<Void> stop() {
        health.startDraining();
        Future<Void> released = disconnectSubscribers()
                .onComplete(left -> refuseSubscribers())
                .compose(left -> onEachVerticle(front -> vertx.undeploy(front.deploymentID())))
                .compose(closed ->
                        changeFeedConsumer.map(ChangeFeedConsumer::stop).orElseGet(Future::succeededFuture))
                .compose(closed -> matching.close())
                .onSuccess(closed -> cached.ifPresent(CachedQueryRegistry::invalidateAll))
                .compose(closed -> leaveGroup())
                .compose(left -> saveSketch())
                .compose(closed -> store.close());
        return Future.future(
                promise -> released.onComplete(done -> vertx.close().onComplete(closed -> promise.handle(done))));
    }

    private Future<?> disconnectSubscribers() {
        return onEachVerticle(HttpVerticle::disconnectSubscribers);
    }

    private Future<?> onEachVerticle(Function<HttpVerticle, Future<?>> action) {
        return Future.join(verticles.stream().<Future<?>>map(action).toList()).otherwiseEmpty();
    }

    /** Refuses subscribers that arrive too late for an orderly end. */
    private void refuseSubscribers() {
        live.ifPresent(queries -> queries.failAll(new ApiException(ErrorCode.UNAVAILABLE, "The server is stopping")));
    }

    /** Resolves the transaction of a departed lock owner of the group. */
    private Future<Void> resolve(String lock) {
        return GroupSchemaCoordination.isSchemaLock(lock) ? Future.succeededFuture() : resolve(LockHolder.parse(lock));
    }

    /**
     * Aborts its open transactions in the store first, because they would block the check of what
     * is committed.
     */
    private Future<Void> resolve(LockHolder holder) {
        return storage.shared()
                .map(objects -> objects.abortTransactionsOf(holder.process()))
                .orElseGet(Future::succeededFuture)
                .compose(given -> commits.resolve(holder.tid()));
    }

    private Future<Void> open() {
        Future<SchemaRegistry> opened = config.group().isEmpty()
                ? SchemaRegistry.open(store, classData())
                : SchemaRegistry.open(
                        store,
                        classData(),
                        new GroupSchemaCoordination(
                                () -> group.orElseThrow(), () -> sharedSchema.orElseThrow(), coordinator.locks()));
        return opened.compose(schemas -> TokenSigningSecret.of(store).compose(secret -> open(schemas, secret)));
    }

    private Future<Void> open(SchemaRegistry schemas, byte[] secret) {
        Metrics metrics = new Metrics();
        storage.meters().accept(metrics.registry());
        return Purger.start(
                        vertx, config.caching().purge(), config.caching().ttl().sharedMax(), metrics.registry())
                .compose(shared -> open(schemas, secret, metrics, shared));
    }

    private Future<Void> open(SchemaRegistry schemas, byte[] secret, Metrics metrics, SharedCaches shared) {
        group = config.group().map(setup -> new PeerGroup(vertx, setup.links(longestTtl()), coordinator, secret));
        Caches caches = Caches.create(
                config.caching(),
                shared,
                group.<CacheReplication>map(others -> others).orElse(CacheReplication.NONE),
                steady,
                metrics.registry());
        if (group.isEmpty() && !storage.isNew()) {
            sketchFile().restore(caches.staleKeys());
        }
        JsonRenderer jsonRenderer = new JsonRenderer(schemas);
        QueryParser parsing = new QueryParser(schemas);
        TokenService tokens = new TokenService(secret, config.auth().sessionLifetime(), clock);
        Authenticator authenticator = new Authenticator(
                tokens, store, () -> group.map(PeerGroup::isCurrent).orElse(true));
        CachedQueryRegistry cachedQueryRegistry =
                new CachedQueryRegistry(vertx, caches.invalidator(), matching, config.maxLag(), steady);
        ReadMetrics.bind(metrics.registry(), cachedQueryRegistry);
        MatchingLatency latency = MatchingMetrics.bind(metrics.registry(), matching);
        LiveQueries queries =
                new LiveQueries(vertx, matching, store, schemas, jsonRenderer, authenticator, config.live(), clock);
        WritePublisher publisher = new WritePublisher(
                store,
                caches.invalidator(),
                matching,
                group.<WriteReplication>map(others -> others).orElse(WriteReplication.NONE),
                writeOutcome -> {
                    publishRightsChange(authenticator, queries, writeOutcome);
                    storage.shared().ifPresent(objects -> objects.evictBefore(writeOutcome));
                    storage.changes().ifPresent(feed -> recentWrites.recordWrite(writeOutcome));
                });
        WritePipeline writes = new WritePipeline(schemas, store, publisher);
        CredentialStore credentialStore = credentials(authenticator, queries);
        PasswordService passwordService = new PasswordService(
                store,
                credentialStore,
                vertx,
                new PasswordHasher(vertx, config.auth(), config.limits().on()),
                new LoginThrottle(clock, config.limits()));
        UserServices users = users(tokens, authenticator, credentialStore, passwordService);
        QueryReader reader = new QueryReader(
                schemas,
                parsing,
                store,
                caches.reads(),
                cachedQueryRegistry,
                jsonRenderer,
                config.query(),
                config.consistency(),
                steady);
        SubscriptionRequestParser requests = new SubscriptionRequestParser(schemas, parsing, config.live());
        ResponseBudget answers = ResponseBudget.ofMemory(vertx, config.http().bodyTimeout(), metrics.registry());
        HttpServices services = new HttpServices(
                users,
                schemas,
                new ClassIndexes(store),
                caches,
                new ObjectReader(schemas, store, caches.reads(), jsonRenderer, config.consistency(), steady),
                reader,
                new ReferenceExpander(vertx, schemas, store, reader, config.consistency(), config.maxDepth()),
                new ParameterizedQueryRepository(store, schemas, parsing, config.query()),
                new AggregateReader(schemas, parsing, store, jsonRenderer, config.query(), config.consistency(), clock),
                new PermissionExplainer(authenticator, schemas, parsing, store),
                new LiveEventExplainer(requests, queries, matching, store, group.isPresent()),
                new LiveQueryInspector(queries, matching, latency),
                new BucketScanner(store),
                writes,
                new TransactionManager(
                        writes,
                        config.transactions(),
                        new TransactionIds(secret, config.transactions().timeout(), clock),
                        new CommitLocks(
                                coordinator.locks(),
                                storage.shared().map(SharedStore::processName).orElse(""),
                                InDoubtCommits.of(vertx, commits, clock)),
                        commits),
                jsonRenderer,
                new LiveServices(
                        authenticator,
                        requests,
                        queries,
                        jsonRenderer,
                        config.live(),
                        answers,
                        caches.replica()::clientFilter,
                        () -> group.map(PeerGroup::isSynchronized).orElse(true)),
                new BodyBudget(config.http().maxPendingBodies(), metrics.registry()),
                new DiskBudget(),
                answers,
                new ReadSourceCounters(metrics.registry()),
                health,
                new ServerDiagnostics(vertx, coordinator, group, matching, passwordService),
                metrics,
                config.settings(),
                LogSetup.recent());
        schemas.onChange(change -> announce(change, caches.administrator(), queries));
        // A stale query result must be dropped before its write is answered; the push may come
        // after.
        matching.listen(CompositeListener.of((match, allowance) -> cachedQueryRegistry.accept(match), queries::accept));
        matching.listenToFailures(CompositeListener.of(cachedQueryRegistry::fail, queries::fail));
        matching.listenToLag(cachedQueryRegistry::suspend, cachedQueryRegistry::invalidateAll);
        FixedDelay.start(vertx, SWEEP_INTERVAL, () -> sweep(cachedQueryRegistry, queries, caches.replica()));
        FixedDelay.start(vertx, COMMIT_SWEEP_INTERVAL, this::sweepCommits);
        FixedDelay.start(vertx, CATCH_UP_INTERVAL, this::catchUp);
        FixedDelay.start(vertx, config.maxLag().dividedBy(InvalidbClient.MAX_LAG_TICKS), matching::tick);
        live = Optional.of(queries);
        this.writes = Optional.of(writes);
        staleKeys = Optional.of(caches.staleKeys());
        cached = Optional.of(cachedQueryRegistry);
        sharedSchema = storage.shared().map(objects -> new SchemaFollower(vertx, schemas, objects));
        Optional<LocalReplicationHandler> localReplicationHandler = storage.shared()
                .map(objects -> new LocalReplicationHandler(
                        sharedSchema.orElseThrow(),
                        new OrphanedTransactions(vertx, objects),
                        publisher,
                        caches.replica(),
                        caches.administrator(),
                        cachedQueryRegistry,
                        queries,
                        authenticator,
                        recentWrites,
                        () -> {
                            var unused = disconnectSubscribers();
                        }));
        changeFeedConsumer = storage.changes()
                .map(feed -> newChangeFeedConsumer(feed, schemas, localReplicationHandler.orElseThrow(), metrics));
        return group.map(members -> enter(members, localReplicationHandler.orElseThrow()))
                .orElseGet(Future::succeededFuture)
                .onSuccess(entered -> storage.shared().ifPresent(objects -> objects.join(this::publishIndexChange)))
                .onSuccess(entered -> changeFeedConsumer.ifPresent(changes -> changes.start(coordinator)))
                .compose(entered -> commits.prepare())
                .compose(
                        prepared -> users.root().bootstrap(config.rootPassword().orElse(null)))
                .onSuccess(token -> setupToken = token)
                .compose(token -> config.demo() ? new DemoData(schemas, store).create() : Future.succeededFuture())
                .compose(ready -> HttpVerticle.deleteSpooledFiles(vertx, config.http()))
                .compose(ready -> listen(services));
    }

    private Future<Void> enter(PeerGroup members, LocalReplicationHandler localReplicationHandler) {
        ServerGroupConfig setup = config.group().orElseThrow();
        String process = storage.shared().map(SharedStore::processName).orElse("");
        return members.enter(process, localReplicationHandler)
                .recover(failure -> Future.failedFuture(
                        failure instanceof IOException
                                ? new BindException(setup.host() + ":" + setup.port() + ": " + failure.getMessage())
                                : UnusableGroupException.of(
                                        failure, setup.zookeeper().servers())));
    }

    private Future<Void> publishIndexChange(String bucket) {
        return group.map(others -> others.broadcastIndexChange(bucket)).orElseGet(Future::succeededFuture);
    }

    private CredentialStore credentials(Authenticator authenticator, LiveQueries live) {
        return new CredentialStore(store, user -> {
            publishRightsChange(authenticator, live, RightsChange.of(user));
            return group.map(others -> others.broadcastRightsChange(user)).orElseGet(Future::succeededFuture);
        });
    }

    private UserServices users(
            TokenService tokens,
            Authenticator authenticator,
            CredentialStore credentialStore,
            PasswordService passwordService) {
        return new UserServices(
                authenticator,
                new UserRegistration(store, passwordService, tokens),
                new LoginService(store, passwordService, tokens),
                new SessionService(tokens, store),
                new UserTokens(store, credentialStore, tokens),
                new BuiltInAccounts(store, passwordService),
                new RequestRateLimiter(config.limits(), clock));
    }

    private ChangeFeedConsumer newChangeFeedConsumer(
            ChangeFeed feed, SchemaRegistry schemas, LocalReplicationHandler localReplicationHandler, Metrics metrics) {
        ChangeFeedConsumer reader = new ChangeFeedConsumer(
                vertx,
                feed,
                localReplicationHandler.publisher()::publish,
                recentWrites,
                bucket -> schemas.current()
                        .find(bucket)
                        .filter(type -> !type.embedded())
                        .isPresent(),
                bucket -> handleMissedChanges(bucket, localReplicationHandler),
                metrics.registry());
        health.setChangeFeed(() -> toState(reader.state()));
        return reader;
    }

    private Future<Void> handleMissedChanges(String bucket, LocalReplicationHandler localReplicationHandler) {
        localReplicationHandler.onWritesMissed(bucket);
        return broadcastMissedChanges(bucket);
    }

    private Future<Void> broadcastMissedChanges(String bucket) {
        return group.map(others -> others.broadcastMissedWrites(bucket)).orElseGet(Future::succeededFuture);
    }

    private static ChangeFeedState toState(ChangeFeedConsumerState state) {
        return new ChangeFeedState(
                state.role().name().toLowerCase(Locale.ROOT), state.behind().orElse(null));
    }

    private Future<Void> leaveGroup() {
        return group.map(PeerGroup::leave)
                .orElseGet(Future::succeededFuture)
                .compose(left -> coordinator.close())
                .otherwiseEmpty();
    }

    private Future<Void> saveSketch() {
        return vertx.executeBlocking(() -> {
                    staleKeys.filter(known -> group.isEmpty()).ifPresent(this::save);
                    return true;
                })
                .mapEmpty();
    }

    /**
     * Stores the sketch for the next process. Discards it if the system's clock is ahead of its
     * times, because the next process would regard them as expired.
     */
    private void save(StaleKeys staleKeys) {
        if (steady.isBehind()) {
            sketchFile().discard();
        } else {
            sketchFile().save(staleKeys);
        }
    }

    private SketchFile sketchFile() {
        return new SketchFile(config.store().directory().resolve("sketch"), longestTtl(), steady);
    }

    /** Returns the longest time to live that this server grants to any cache. */
    private Duration longestTtl() {
        TtlConfig ttl = config.caching().ttl();
        Duration longest = ttl.browserMax().compareTo(ttl.sharedMax()) > 0 ? ttl.browserMax() : ttl.sharedMax();
        return longest.plus(Caches.LIFETIME_TOLERANCE);
    }

    private ClassDataHandler classData() {
        return new ClassDataHandler() {
            @Override
            public Future<?> drop(String bucket, Runnable guard) {
                return writes.orElseThrow().drop(bucket, guard);
            }

            @Override
            public Future<?> invalidate(String bucket) {
                return writes.orElseThrow().republishClass(bucket);
            }

            @Override
            public void onRecovered() {
                sketchFile().discard();
            }
        };
    }

    private Future<Void> listen(HttpServices services) {
        DeploymentOptions perEventLoop =
                new DeploymentOptions().setInstances(Runtime.getRuntime().availableProcessors());
        return vertx.deployVerticle(() -> newVerticle(services), perEventLoop)
                .onSuccess(deployed -> health.ready())
                .mapEmpty();
    }

    private HttpVerticle newVerticle(HttpServices services) {
        HttpVerticle front = new HttpVerticle(config.http(), services, config.demo());
        verticles.add(front);
        return front;
    }

    /**
     * Invalidates the objects of changed classes, whose form, existence or readers may have
     * changed.
     */
    private static void announce(SchemaTransition change, CacheAdministrator caches, LiveQueries live) {
        caches.classesChanged(change.withOutdatedCopies());
        change.removed()
                .forEach(bucket ->
                        live.failAll(bucket, new ApiException(ErrorCode.BUCKET_NOT_FOUND, "The class was deleted")));
        change.withChangedQueryRights()
                .forEach(bucket -> live.failAll(
                        bucket, new ApiException(ErrorCode.PERMISSION_DENIED, "The rights to query were changed")));
        change.rewritten()
                .forEach(bucket -> live.failAll(
                        bucket,
                        new ApiException(
                                ErrorCode.SCHEMA_NOT_COMPATIBLE,
                                "Fields of the class were renamed, removed or converted; subscribe again")));
    }

    /** Reads schema changes whose server may have failed before it announced them. */
    private void catchUp() {
        if (group.isPresent()) {
            sharedSchema.ifPresent(SchemaFollower::catchUp);
        }
    }

    /** Drops expired commit records; a failed deletion is repeated the next time. */
    private void sweepCommits() {
        var unused = commits.deleteExpired();
    }

    private void sweep(CachedQueryRegistry cached, LiveQueries queries, CacheReplica caches) {
        caches.sweep();
        cached.sweep();
        queries.sweep();
        matching.sweep();
    }

    private static void publishRightsChange(Authenticator authenticator, LiveQueries live, WriteOutcome writeOutcome) {
        RightsChange.of(writeOutcome).ifPresent(change -> publishRightsChange(authenticator, live, change));
        writeOutcome.storedObject().ifPresent(live::onRulesWritten);
    }

    static void publishRightsChange(Authenticator authenticator, LiveQueries live, RightsChange change) {
        authenticator.evict(change);
        live.onRightsChange(change);
    }
}
