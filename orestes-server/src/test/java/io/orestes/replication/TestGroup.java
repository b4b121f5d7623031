package io.orestes.replication;

import static io.orestes.store.Await.await;

import io.orestes.caching.Caches;
import io.orestes.caching.PeerCacheAccess;
import io.orestes.caching.TestCaches;
import io.orestes.coordination.CoordinationTimeouts;
import io.orestes.coordination.Coordinator;
import io.orestes.coordination.Member;
import io.orestes.coordination.local.LocalGroup;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.WriteOutcome;
import io.orestes.replication.link.FakeMember;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Servers of one group in this process, which reach each other through real sockets. */
final class TestGroup implements AutoCloseable {

    static final Duration MAX_TTL = Duration.ofHours(1);

    private static final Duration SETTLING = Duration.ofMillis(20);

    private static final byte[] SECRET = bytes("secret");

    final Vertx vertx = Vertx.vertx();
    private final LocalGroup coordination = new LocalGroup(vertx, CoordinationTimeouts.DEFAULTS);
    private final InstantSource clock;
    private final PeerGroupConfig config;

    /** True if evictions fail, as without ZooKeeper. */
    volatile boolean canNobodyBeEvicted;

    private final List<TestServer> entered = new CopyOnWriteArrayList<>();

    /** Creates servers with long time limits for each other. */
    TestGroup(InstantSource clock) {
        this(clock, Duration.ofSeconds(20), Duration.ofSeconds(30));
    }

    TestGroup(InstantSource clock, Duration patience, Duration deadline) {
        this.clock = clock;
        this.config = new PeerGroupConfig("127.0.0.1", 0, patience, deadline, SETTLING, MAX_TTL, 32L << 20);
    }

    /** Adds a fake member that knows the secret and behaves in this manner. */
    Member add(FakeMember.Behaviour manner) {
        FakeMember fake = new FakeMember(vertx, SECRET, manner);
        Member member = addAt(fake.open());
        fake.become(member);
        return member;
    }

    /** Adds a member at this address, where possibly no process listens. */
    Member addAt(String address) {
        return await(
                coordination.server(transaction -> Future.succeededFuture()).join(address));
    }

    /** Adds a server, and waits until it has entered. */
    TestServer enter() {
        return await(enter("secret", clock));
    }

    Future<TestServer> enter(String secret, InstantSource itsClock) {
        Coordinator coordinator = coordinator();
        PeerGroup peerGroup = new PeerGroup(vertx, config, coordinator, bytes(secret));
        TestServer server = new TestServer(coordinator, TestCaches.replicated(peerGroup, itsClock));
        entered.add(server);
        return peerGroup.enter(server.process, server).map(entering -> server.member(peerGroup));
    }

    private Coordinator coordinator() {
        Coordinator real = coordination.server(transaction -> Future.succeededFuture());
        return (Coordinator) Proxy.newProxyInstance(
                TestGroup.class.getClassLoader(),
                new Class<?>[] {Coordinator.class},
                (proxy, method, arguments) -> method.getName().equals("evict") && canNobodyBeEvicted
                        ? Future.failedFuture(new ApiException(ErrorCode.UNAVAILABLE, "ZooKeeper is unavailable"))
                        : method.invoke(real, arguments));
    }

    @Override
    public void close() {
        entered.forEach(server -> server.peerGroup.ifPresent(peerGroup -> await(peerGroup.leave())));
        await(vertx.close());
    }

    private static byte[] bytes(String secret) {
        return secret.getBytes(StandardCharsets.UTF_8);
    }

    /** A server that records the messages it received. */
    static final class TestServer implements ReplicationHandler {

        final Coordinator coordinator;
        final Caches caches;
        final List<WriteOutcome> announced = new CopyOnWriteArrayList<>();
        final String process = "process " + UUID.randomUUID();
        final List<String> departed = new CopyOnWriteArrayList<>();
        final AtomicInteger takenOver = new AtomicInteger();
        final List<String> vanished = new CopyOnWriteArrayList<>();
        final List<String> missed = new CopyOnWriteArrayList<>();
        final List<ObjectRef> rights = new CopyOnWriteArrayList<>();
        volatile Function<WriteOutcome, Future<Optional<Duration>>> announcing =
                writeOutcome -> Future.succeededFuture(Optional.of(Duration.ofSeconds(9)));
        final AtomicInteger schemaChanges = new AtomicInteger();
        final Set<String> paused = ConcurrentHashMap.newKeySet();
        final List<String> resumed = new CopyOnWriteArrayList<>();
        final List<String> indexed = new CopyOnWriteArrayList<>();
        final List<Boolean> begun = new CopyOnWriteArrayList<>();
        volatile boolean invalidated;
        private Optional<PeerGroup> peerGroup = Optional.empty();

        private TestServer(Coordinator coordinator, Caches caches) {
            this.coordinator = coordinator;
            this.caches = caches;
        }

        private TestServer member(PeerGroup entered) {
            peerGroup = Optional.of(entered);
            return this;
        }

        PeerGroup group() {
            return peerGroup.orElseThrow();
        }

        Member self() {
            return group().self();
        }

        boolean reportsStale(String key) {
            return caches.replica().sketchSnapshot().filter().contains(key);
        }

        @Override
        public PeerCacheAccess caches() {
            return caches.replica();
        }

        @Override
        public Future<Optional<Duration>> applyWrite(String member, WriteOutcome writeOutcome) {
            return announce(writeOutcome);
        }

        @Override
        public void onMemberFailed(String member) {
            vanished.add(member);
        }

        @Override
        public void onMemberDeparted(String itsProcess) {
            departed.add(itsProcess);
        }

        @Override
        public void takeOver() {
            takenOver.incrementAndGet();
        }

        @Override
        public void onWritesMissed(String bucket) {
            missed.add(bucket);
        }

        Future<Optional<Duration>> announce(WriteOutcome writeOutcome) {
            caches.invalidator().objectWritten(writeOutcome.ref().id());
            announced.add(writeOutcome);
            return announcing.apply(writeOutcome);
        }

        @Override
        public void onRightsChanged(ObjectRef user) {
            rights.add(user);
        }

        @Override
        public Future<Void> onSchemaChanged() {
            schemaChanges.incrementAndGet();
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> pause(String turn, Set<String> buckets) {
            paused.addAll(buckets);
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> resume(String turn) {
            resumed.add(turn);
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> onIndexesChanged(String bucket) {
            indexed.add(bucket);
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> synchronize(boolean isFirst) {
            begun.add(isFirst);
            return Future.succeededFuture();
        }

        @Override
        public void invalidateAll() {
            invalidated = true;
        }
    }
}
