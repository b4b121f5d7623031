package io.orestes.group;

import io.orestes.support.http.Client;
import io.orestes.support.mongo.Mongod;
import io.orestes.support.process.Waiting;
import io.orestes.support.server.Launcher;
import io.orestes.support.server.RunningCommand;
import io.orestes.support.server.ServerProcess;
import io.orestes.support.zookeeper.Ensemble;
import io.orestes.system.Backend;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;

/** Servers on one MongoDB and one ZooKeeper. */
final class ServerGroup implements AutoCloseable {

    static final String ROOT_PASSWORD = Backend.ROOT_PASSWORD;
    static final String DATABASE = "shop";

    /**
     * The product's defaults are 3 s and 2 s. On a busy machine processes stall for longer, and
     * must not be evicted.
     */
    private static final List<String> LONG_LEASE = List.of("--group.lease=8s", "--group.patience=8s");

    /**
     * The longest time to live of a copy, and so the time for which a key remains stale. On a busy
     * machine it has to outlast the eviction of a killed server and the start of another one.
     */
    private static final Duration MAX_TTL = Duration.ofMinutes(1);

    private static final AtomicInteger GROUPS = new AtomicInteger();

    private final Path folder;
    private final Mongod mongo;
    private final String database;
    private final Ensemble zooKeeper;
    private final List<String> flags;
    private final List<ServerProcess> servers = new ArrayList<>();

    /**
     * Starts three servers in an empty folder, on a database of their own of the replica set of all
     * tests.
     */
    ServerGroup(Path folder) throws InterruptedException {
        this(folder, 3);
    }

    /**
     * Starts several servers in an empty folder, on a database of their own of the replica set of
     * all tests.
     *
     * @param flags of each of them, in addition to those that it needs
     */
    ServerGroup(Path folder, int count, String... flags) throws InterruptedException {
        this(folder, SharedProcesses.mongod(), DATABASE + GROUPS.incrementAndGet(), count, flags);
    }

    /** Starts several servers on a MongoDB that ends with them. */
    ServerGroup(Path folder, Mongod mongo, int count, String... flags) throws InterruptedException {
        this(folder, mongo, DATABASE, count, flags);
    }

    private ServerGroup(Path folder, Mongod mongo, String database, int count, String... flags)
            throws InterruptedException {
        this.folder = folder;
        this.mongo = mongo;
        this.database = database;
        this.zooKeeper = SharedProcesses.ensemble();
        this.flags = Stream.concat(Stream.of("--group.name=group" + GROUPS.incrementAndGet()), Stream.of(flags))
                .toList();
        List<RunningCommand> launched =
                IntStream.range(0, count).mapToObj(this::launch).toList();
        try {
            for (RunningCommand server : launched) {
                servers.add(ServerProcess.whenReady(server));
            }
            awaitMembership();
        } catch (AssertionError | RuntimeException | InterruptedException failure) {
            // nothing else closes them, and they would stay members of the shared ensemble
            launched.forEach(RunningCommand::close);
            throw failure;
        }
    }

    /**
     * Waits until each server is a member. A ready server may lose its membership while others
     * start beside it.
     */
    private void awaitMembership() {
        List<Client> roots =
                IntStream.range(0, servers.size()).mapToObj(this::root).toList();
        Waiting.until("all servers are members", () -> roots.stream().allMatch(this::isMemberOfAll));
    }

    private boolean isMemberOfAll(Client root) {
        BsonDocument coordinator = root.get("/-/health").object().getDocument("coordinator");
        return coordinator.getBoolean("current").getValue()
                && coordinator.getArray("servers").size() == servers.size();
    }

    /**
     * Waits until servers without knowledge of earlier copies no longer treat all of them as stale.
     */
    static void awaitEmptyFilter(BooleanSupplier isEmpty) {
        Waiting.until("the filter empties", MAX_TTL.multipliedBy(2), isEmpty);
    }

    /** Returns a server by its number, from 0. */
    ServerProcess server(int number) {
        return servers.get(number);
    }

    Client anonymous(int number) {
        return Client.anonymous(server(number));
    }

    Client root(int number) {
        return anonymous(number).login("root", ROOT_PASSWORD);
    }

    /** Kills a server. */
    void kill(int number) throws InterruptedException {
        server(number).kill();
    }

    /** Waits until the group has no member, after all servers were killed. */
    void awaitNoMembers() {
        zooKeeper.awaitNoEphemerals();
    }

    /** Starts a server that has ended. */
    void restart(int number) throws InterruptedException {
        servers.set(number, ServerProcess.whenReady(launch(number)));
    }

    /**
     * Counts the documents of a class that meet a condition in MongoDB, independent of the servers.
     */
    long countInStore(String bucket, String filter) {
        return mongo.count(database, bucket, filter);
    }

    /** Returns the MongoDB of all servers. */
    Mongod mongo() {
        return mongo;
    }

    /** Changes a document in MongoDB as another program would; see {@link Mongod#update}. */
    void updateInStore(String bucket, String id, String update) {
        mongo.update(database, bucket, id, update, false);
    }

    /**
     * Returns the change streams of MongoDB with a reader; see {@link Mongod#changeStreamCursors}.
     */
    Set<Long> changeStreams() {
        return mongo.changeStreamCursors();
    }

    /** Inserts or replaces a document. */
    void putIntoStore(String bucket, String id, String document) {
        mongo.update(database, bucket, id, document, true);
    }

    /** Returns all that a server logged. */
    String log(int number) {
        return server(number).command().errors();
    }

    private RunningCommand launch(int number) {
        List<String> command = new ArrayList<>(List.of(
                "start",
                "--port=0",
                "--data=" + folder.resolve("data" + number),
                "--mongo=" + mongo.connectionString(database),
                "--mongo.deadline=30s",
                "--zookeeper=" + zooKeeper.address(),
                "--root-password=" + ROOT_PASSWORD,
                "--rate-limit=off",
                "--caching.browser-max-ttl=" + MAX_TTL.toSeconds() + "s",
                "--caching.shared-max-ttl=" + MAX_TTL.toSeconds() + "s"));
        command.addAll(LONG_LEASE);
        command.addAll(flags);
        return Launcher.here().with("JAVA_OPTS", "-Xmx384m").run(command.toArray(String[]::new));
    }

    @Override
    public void close() {
        servers.forEach(ServerProcess::close);
        if (mongo != SharedProcesses.mongod()) {
            mongo.close();
        }
    }
}
