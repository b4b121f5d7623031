package io.orestes.histories.cluster;

import io.orestes.support.mongo.Mongod;
import io.orestes.support.process.Waiting;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonDocument;

/** Genuine mongods: a replica set of three, which elects another primary within some seconds. */
public final class MongoDb implements AutoCloseable {

    private static final int PORT = 27_017;

    private static final int SIZE = 3;

    private final List<Mongod> servers = new ArrayList<>();
    private final List<Node> members = new ArrayList<>();

    private MongoDb() {}

    /** Starts all members, with their data in a folder that does not exist yet. */
    static MongoDb start(Network network, Path folder) {
        MongoDb mongo = new MongoDb();
        try {
            for (int number = 0; number < SIZE; number++) {
                mongo.launch(network.add("mongo" + number), folder.resolve("mongo" + number));
            }
            mongo.initiate();
            return mongo;
        } catch (RuntimeException | AssertionError failure) {
            mongo.close();
            throw failure;
        }
    }

    private void launch(Host host, Path folder) {
        Mongod server = Mongod.in(folder)
                .context(Network.context(host))
                .listensOn(host.address(), PORT)
                .replicaSet("rs0")
                .launch();
        servers.add(server);
        members.add(new Node(host, server.process()));
    }

    private void initiate() {
        servers.forEach(Mongod::awaitAnswer);
        servers.get(0).command("{replSetInitiate: " + configuration() + "}");
        Waiting.until(
                "MongoDB has a primary", Cluster.PATIENCE, () -> findPrimary().isPresent());
    }

    private String configuration() {
        return IntStream.range(0, servers.size())
                .mapToObj(number -> "{_id: %d, host: '%s'}"
                        .formatted(number, servers.get(number).host()))
                .collect(Collectors.joining(
                        ", ",
                        "{_id: 'rs0', members: [",
                        "], settings: {electionTimeoutMillis: 2000, heartbeatIntervalMillis: 500, "
                                + "heartbeatTimeoutSecs: 2}}"));
    }

    /** Returns the URI at which clients reach a database of that name. */
    String uri(String database) {
        return servers.stream()
                .map(Mongod::host)
                .collect(Collectors.joining(",", "mongodb://", "/" + database + "?replicaSet=rs0"));
    }

    public List<Node> members() {
        return List.copyOf(members);
    }

    /** Returns the primary, once there is one; the last of several that claim to be it. */
    Node primary() {
        return members.get(servers.indexOf(primaryServer()));
    }

    private Mongod primaryServer() {
        Waiting.until(
                "MongoDB has a primary", Cluster.PATIENCE, () -> findPrimary().isPresent());
        return findPrimary().orElse(servers.get(0));
    }

    private Optional<Mongod> findPrimary() {
        return servers.stream().filter(Mongod::isPrimary).reduce((one, other) -> other);
    }

    /** Has the primary step down in favour of another member. */
    void stepDown(Node primary) {
        Optional<BsonDocument> unused = servers.get(members.indexOf(primary))
                .tryCommand("admin", "{replSetStepDown: 10, secondaryCatchUpPeriodSecs: 1, force: true}");
    }

    /**
     * Changes a document as another program would, or inserts it; {@code fields} are those that are
     * set.
     */
    public boolean set(String database, String collection, String id, String fields) {
        return write(
                database,
                ("{update: '%s', updates: [{q: {_id: '%s'}, u: {$set: %s}, upsert: true}],"
                                + " writeConcern: {w: 'majority'}}")
                        .formatted(collection, id, fields));
    }

    /** Deletes a document as another program would, if it is there. */
    public boolean delete(String database, String collection, String id) {
        return write(
                database,
                "{delete: '%s', deletes: [{q: {_id: '%s'}, limit: 1}], writeConcern: {w: 'majority'}}"
                        .formatted(collection, id));
    }

    /** Returns whether it is certain that the write was done. */
    private boolean write(String database, String command) {
        return primaryServer()
                .tryCommand(database, command)
                .filter(answer -> answer.containsKey("n")
                        && !answer.containsKey("writeErrors")
                        && !answer.containsKey("writeConcernError"))
                .isPresent();
    }

    @Override
    public void close() {
        servers.forEach(Mongod::close);
    }
}
