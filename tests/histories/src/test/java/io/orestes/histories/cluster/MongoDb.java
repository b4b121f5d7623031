package io.orestes.histories.cluster;

import io.orestes.support.process.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;

/** Genuine mongods: a replica set, which elects another primary within some seconds, or one alone. */
public final class MongoDb implements AutoCloseable {

    private static final int PORT = 27_017;

    /** How many there are, and what they know of each other. */
    public enum Shape {
        REPLICA_SET(3),
        STANDALONE(1);

        private final int size;

        Shape(int size) {
            this.size = size;
        }
    }

    private final Shape shape;
    private final List<Node> members = new ArrayList<>();

    /** Prepares all, in an empty folder. */
    MongoDb(Network network, Path folder, Shape shape) throws IOException {
        this.shape = shape;
        for (int number = 0; number < shape.size; number++) {
            Host host = network.add("mongo" + number);
            Path home = Files.createDirectories(folder.resolve(host.name()));
            Files.createDirectories(home.resolve("data"));
            members.add(new Node(host, home, command(host, home)));
        }
    }

    void start() {
        members.forEach(Node::start);
        members.forEach(member -> Waiting.until(member.name() + " starts", () -> ask(member, "{ping: 1, $db: 'admin'}")
                .containsKey("ok")));
        if (shape == Shape.REPLICA_SET) {
            BsonDocument initiated =
                    ask(members.get(0), "{replSetInitiate: %s, $db: 'admin'}".formatted(configuration()));
            Waiting.until("MongoDB has a primary, initiated with " + initiated, () -> findPrimary()
                    .isPresent());
        }
    }

    private List<String> command(Host host, Path home) {
        List<String> command = new ArrayList<>(List.of(
                Objects.requireNonNull(System.getenv("ORESTES_TEST_MONGOD")),
                "--dbpath=" + home.resolve("data"),
                "--port=" + PORT,
                "--bind_ip=" + host.address(),
                "--nounixsocket",
                "--wiredTigerCacheSizeGB=0.25",
                "--setParameter=diagnosticDataCollectionEnabled=false"));
        if (shape == Shape.REPLICA_SET) {
            command.addAll(List.of("--replSet=rs0", "--oplogSize=64"));
        }
        return command;
    }

    private String configuration() {
        return IntStream.range(0, members.size())
                .mapToObj(number -> "{_id: %d, host: '%s:%d'}"
                        .formatted(number, members.get(number).address(), PORT))
                .collect(
                        Collectors.joining(
                                ", ",
                                "{_id: 'rs0', members: [",
                                "], settings: {electionTimeoutMillis: 2000, heartbeatIntervalMillis: 500, heartbeatTimeoutSecs: 2}}"));
    }

    /** Where clients find a database of that name. */
    String uri(String database) {
        return members.stream()
                .map(member -> member.address() + ":" + PORT)
                .collect(Collectors.joining(",", "mongodb://", "/" + database + options()));
    }

    private String options() {
        return shape == Shape.REPLICA_SET ? "?replicaSet=rs0" : "";
    }

    public List<Node> members() {
        return List.copyOf(members);
    }

    /** Who takes writes, once somebody does; the last one of several that think so. */
    Node primary() {
        Waiting.until("MongoDB has a primary", () -> findPrimary().isPresent());
        return findPrimary().orElse(members.get(0));
    }

    private Optional<Node> findPrimary() {
        return members.stream()
                .filter(member -> ask(member, "{hello: 1, $db: 'admin'}")
                        .getBoolean("isWritablePrimary", BsonBoolean.FALSE)
                        .getValue())
                .reduce((one, other) -> other);
    }

    /** Has the primary leave its place to another one. */
    void stepDown(Node primary) {
        BsonDocument unused =
                ask(primary, "{replSetStepDown: 10, secondaryCatchUpPeriodSecs: 1, force: true, $db: 'admin'}");
    }

    /** Changes a document as another program would, or inserts it; {@code fields} are those that are set. */
    public boolean set(String database, String collection, String id, String fields) {
        return write(
                "{update: '%s', updates: [{q: {_id: '%s'}, u: {$set: %s}, upsert: true}], writeConcern: {w: 'majority'}, $db: '%s'}"
                        .formatted(collection, id, fields, database));
    }

    /** Deletes a document as another program would, if it is there. */
    public boolean delete(String database, String collection, String id) {
        return write("{delete: '%s', deletes: [{q: {_id: '%s'}, limit: 1}], writeConcern: {w: 'majority'}, $db: '%s'}"
                .formatted(collection, id, database));
    }

    /** Whether it is certain that this was done. */
    private boolean write(String command) {
        BsonDocument answer = ask(primary(), command);
        return answer.containsKey("n")
                && !answer.containsKey("writeErrors")
                && !answer.containsKey("writeConcernError");
    }

    private static BsonDocument ask(Node member, String command) {
        return MongoMessage.send(member.address(), PORT, command);
    }

    @Override
    public void close() {
        members.forEach(Node::close);
    }
}
