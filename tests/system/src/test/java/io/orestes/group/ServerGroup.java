package io.orestes.group;

import io.orestes.support.mongo.Mongod;
import io.orestes.support.zookeeper.Ensemble;
import io.orestes.system.Backend;
import io.orestes.system.Client;
import io.orestes.system.Launcher;
import io.orestes.system.ServerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Servers on one MongoDB and one ZooKeeper. */
final class ServerGroup implements AutoCloseable {

    static final String ROOT_PASSWORD = Backend.ROOT_PASSWORD;
    static final String DATABASE = "shop";

    private final Path folder;
    private final Mongod mongo;
    private final Ensemble zooKeeper;
    private final List<String> flags;
    private final List<ServerProcess> servers = new ArrayList<>();

    /** Starts three on a replica set, in an empty folder. */
    ServerGroup(Path folder) throws InterruptedException {
        this(folder, Mongod.replicaSet(folder.resolve("mongo")), 3);
    }

    /**
     * Starts some on a MongoDB that ends with them.
     *
     * @param flags of each of them, in addition to those that it needs
     */
    ServerGroup(Path folder, Mongod mongo, int count, String... flags) throws InterruptedException {
        this.folder = folder;
        this.mongo = mongo;
        this.flags = List.of(flags);
        this.zooKeeper = Ensemble.in(folder.resolve("zookeeper")).start();
        for (int number = 0; number < count; number++) {
            servers.add(launch(number));
        }
    }

    /** A server by its number, from 0. */
    ServerProcess server(int number) {
        return servers.get(number);
    }

    Client anonymous(int number) {
        return Client.anonymous(server(number));
    }

    Client root(int number) {
        return anonymous(number).login("root", ROOT_PASSWORD);
    }

    /** Ends one at once. */
    void kill(int number) throws InterruptedException {
        server(number).kill();
    }

    /** Waits until the group has no member, after all servers were killed. */
    void awaitNoMembers() {
        zooKeeper.awaitNoEphemerals();
    }

    /** Starts one that was ended. */
    void restart(int number) throws InterruptedException {
        servers.set(number, launch(number));
    }

    /** How many documents of a class meet a condition in MongoDB, whatever the servers say. */
    long countInStore(String bucket, String filter) {
        return mongo.count(DATABASE, bucket, filter);
    }

    /** The MongoDB of all of them. */
    Mongod mongo() {
        return mongo;
    }

    /** Changes a document in MongoDB as another program would; see {@link Mongod#update}. */
    void updateInStore(String bucket, String id, String update) {
        mongo.update(DATABASE, bucket, id, update, false);
    }

    /** The change streams of MongoDB that somebody reads; see {@link Mongod#changeStreamCursors}. */
    Set<Long> changeStreams() {
        return mongo.changeStreamCursors();
    }

    /** Puts one there, or another one in its place. */
    void putIntoStore(String bucket, String id, String document) {
        mongo.update(DATABASE, bucket, id, document, true);
    }

    /** Everything that the servers reported. */
    String log(int number) {
        return server(number).command().errors();
    }

    private ServerProcess launch(int number) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "start",
                "--port=0",
                "--data=" + folder.resolve("data" + number),
                "--mongo=" + mongo.connectionString(DATABASE),
                "--mongo.deadline=30s",
                "--zookeeper=" + zooKeeper.address(),
                "--root-password=" + ROOT_PASSWORD,
                "--rate-limit=off",
                "--caching.browser-max-ttl=30s",
                "--caching.shared-max-ttl=30s"));
        command.addAll(flags);
        return ServerProcess.whenReady(
                Launcher.here().with("JAVA_OPTS", "-Xmx384m").run(command.toArray(String[]::new)));
    }

    @Override
    public void close() {
        servers.forEach(ServerProcess::close);
        zooKeeper.close();
        mongo.close();
    }
}
