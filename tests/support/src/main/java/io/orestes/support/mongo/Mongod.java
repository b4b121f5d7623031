package io.orestes.support.mongo;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import io.orestes.support.process.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.bson.BsonDocument;

/** A mongod of its own on a free loopback port with an empty folder; closing it ends the process and removes the folder. */
public final class Mongod implements AutoCloseable {

    private static final String PROGRAM = "ORESTES_TEST_MONGOD";
    private static final String ROOT = "root:secret@";

    /** How it is run. */
    public enum Shape {
        REPLICA_SET,
        /** One that does not wait for the disk: the contract is about what is committed. */
        QUICK_REPLICA_SET,
        /** One of several of a replica set that is not initiated yet. It does not wait for the disk either. */
        MEMBER,
        STANDALONE,
        /** A standalone server that asks for a password. */
        WITH_PASSWORD,
        /** A replica set that asks for a password, whose members know each other by a key. It does not wait for the disk either. */
        REPLICA_SET_WITH_PASSWORD;

        private boolean isReplicaSet() {
            return this != STANDALONE && this != WITH_PASSWORD;
        }

        private boolean asksForPassword() {
            return this == WITH_PASSWORD || this == REPLICA_SET_WITH_PASSWORD;
        }
    }

    private final Shape shape;
    private final Path folder;
    private final int port;
    private Process process;
    private MongoClient admin;
    private int users;

    private Mongod(Shape shape, Path folder, int port, Process process) {
        this.shape = shape;
        this.folder = folder;
        this.port = port;
        this.process = process;
        this.admin = connect("mongodb://127.0.0.1:" + port + "/?directConnection=true");
    }

    /** Starts one and waits until it takes writes. */
    public static Mongod start(Shape shape) {
        try {
            Path folder = Files.createTempDirectory("mongod");
            int port = Ports.free();
            Mongod mongod = new Mongod(shape, folder, port, launch(shape, folder, port));
            mongod.prepare();
            return mongod;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where the other members of a replica set find it. */
    public String host() {
        return "127.0.0.1:" + port;
    }

    /** Where clients find it. */
    public String address() {
        return address("");
    }

    /** The same with options such as {@code w=1&journal=false}. */
    public String address(String options) {
        return shape.asksForPassword() ? address(ROOT, "authSource=admin&" + options) : address("", options);
    }

    /** Adds a user with roles such as {@code {role: 'read', db: 'test'}}, and says where that one finds the server. */
    public String addressOfUser(String roles) {
        users++;
        command("{createUser: 'user" + users + "', pwd: 'secret', roles: [" + roles + "]}");
        return address("user" + users + ":secret@", "authSource=admin");
    }

    private String address(String credentials, String options) {
        return "mongodb://" + credentials + "127.0.0.1:" + port + "/test" + (options.isEmpty() ? "" : "?" + options);
    }

    /** The database that {@link #address} names. */
    public MongoDatabase database() {
        return admin.getDatabase("test");
    }

    /** Runs a command as an administrator. */
    public void command(String json) {
        BsonDocument unused = ask(json);
    }

    /** The same with its answer. */
    public BsonDocument ask(String json) {
        return admin.getDatabase("admin").runCommand(BsonDocument.parse(json), BsonDocument.class);
    }

    /** How many commands with these names it was sent so far. */
    public long commands(String... names) {
        BsonDocument status =
                admin.getDatabase("admin").runCommand(BsonDocument.parse("{serverStatus: 1}"), BsonDocument.class);
        BsonDocument counts = status.getDocument("metrics").getDocument("commands");
        return Stream.of(names)
                .mapToLong(name -> counts.getDocument(name).getInt64("total").getValue())
                .sum();
    }

    /** How many reads of the {@link #database()} there were so far; those of the server's own collections do not count. */
    public long reads() {
        BsonDocument totals = admin.getDatabase("admin")
                .runCommand(BsonDocument.parse("{top: 1}"), BsonDocument.class)
                .getDocument("totals");
        return totals.keySet().stream()
                .filter(collection -> collection.startsWith("test."))
                .mapToLong(collection -> totals.getDocument(collection)
                        .getDocument("queries")
                        .getNumber("count")
                        .longValue())
                .sum();
    }

    /** For how long, in milliseconds, each find that the server answers during some work may run, in the order of their answers. */
    public List<Long> timesOfFinds(Runnable work) {
        return finds(work).stream()
                .map(find -> find.getNumber("maxTimeMS").longValue())
                .toList();
    }

    /** The finds in the {@link #database()} that the server answers during some work, in the order of their answers. */
    public List<BsonDocument> finds(Runnable work) {
        database().runCommand(BsonDocument.parse("{profile: 2}"));
        try {
            work.run();
        } finally {
            database().runCommand(BsonDocument.parse("{profile: 0}"));
        }
        List<BsonDocument> finds = new ArrayList<>();
        database()
                .getCollection("system.profile", BsonDocument.class)
                .find(BsonDocument.parse("{'command.find': {$exists: true}, errCode: {$exists: false}}"))
                .sort(BsonDocument.parse("{$natural: 1}"))
                .forEach(find -> finds.add(find.getDocument("command")));
        database().getCollection("system.profile").drop();
        return finds;
    }

    /** Ends the process at once, as the kernel would. */
    public void kill() {
        process.destroyForcibly();
        process.onExit().orTimeout(30, TimeUnit.SECONDS).join();
    }

    /** Starts it again on the same data. */
    public void restart() {
        try {
            process = launch(shape, folder, port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        awaitPrimary();
    }

    /** Has commands fail as {@code data} says. */
    public void failCommands(String mode, String data) {
        command("{configureFailPoint: 'failCommand', mode: " + mode + ", data: " + data + "}");
    }

    /** Ends that. */
    public void failNoCommands() {
        command("{configureFailPoint: 'failCommand', mode: 'off'}");
    }

    /** Lets the process stand still, or go on; returns when no thread of it does anything any more, as each hears of a stop by itself. */
    public void signal(String name) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start();
            kill.onExit().orTimeout(10, TimeUnit.SECONDS).join();
            while (name.equals("STOP") && !standsStill()) {
                LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean standsStill() throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
            return threads.allMatch(Mongod::isStopped);
        }
    }

    /** See proc(5): the state follows the name, which is in parentheses. */
    private static boolean isStopped(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
        } catch (NoSuchFileException ended) {
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        admin.close();
        process.destroy();
        process.onExit().orTimeout(30, TimeUnit.SECONDS).join();
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(Mongod::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void prepare() {
        if (shape == Shape.MEMBER) {
            command("{ping: 1}");
            return;
        }
        // before there are users, anybody on this machine may do this and make the first one
        if (shape.isReplicaSet()) {
            initiate(shape == Shape.REPLICA_SET);
        }
        awaitPrimary();
        if (shape.asksForPassword()) {
            command("{createUser: 'root', pwd: 'secret', roles: ['root']}");
            admin.close();
            admin = connect(address());
        }
    }

    private void initiate(boolean waitsForDisk) {
        command("{replSetInitiate: {_id: 'rs0', writeConcernMajorityJournalDefault: " + waitsForDisk
                + ", members: [{_id: 0, host: '127.0.0.1:" + port + "'}]}}");
    }

    /** Waits until it takes writes. */
    public void awaitPrimary() {
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!isWritable()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("mongod does not take writes");
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    /** Whether it is the primary, as far as it knows. */
    private boolean isWritable() {
        try {
            return admin.getDatabase("admin")
                    .runCommand(BsonDocument.parse("{hello: 1}"))
                    .getBoolean("isWritablePrimary", false);
        } catch (MongoCommandException e) {
            throw e;
        } catch (MongoException e) {
            return false;
        }
    }

    private static Process launch(Shape shape, Path folder, int port) throws IOException {
        return new ProcessBuilder(command(shape, folder, port))
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
                .start();
    }

    private static List<String> command(Shape shape, Path folder, int port) throws IOException {
        String program = Optional.ofNullable(System.getenv(PROGRAM))
                .orElseThrow(() -> new IllegalStateException(PROGRAM + " is not set; tests/mongo/run sets it"));
        List<String> command = new ArrayList<>(List.of(
                program,
                "--dbpath=" + folder,
                "--port=" + port,
                "--bind_ip=127.0.0.1",
                "--nounixsocket",
                "--wiredTigerCacheSizeGB=0.25",
                "--setParameter=diagnosticDataCollectionEnabled=false",
                "--setParameter=enableTestCommands=1"));
        if (shape.isReplicaSet()) {
            command.addAll(List.of("--replSet=rs0", "--oplogSize=64"));
        }
        if (shape.asksForPassword()) {
            command.add(shape.isReplicaSet() ? "--keyFile=" + writeKey(folder.resolve("key")) : "--auth");
        }
        return command;
    }

    /** In base64, and for nobody else to read, or it is refused. */
    private static Path writeKey(Path file) throws IOException {
        Files.writeString(file, "ofAReplicaSetOfOne");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static MongoClient connect(String address) {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(address))
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(30, TimeUnit.SECONDS))
                // a test that leaves the server stuck must fail, not hang
                .applyToSocketSettings(socket -> socket.readTimeout(60, TimeUnit.SECONDS))
                .applyToServerSettings(server -> server.minHeartbeatFrequency(50, TimeUnit.MILLISECONDS)
                        .heartbeatFrequency(500, TimeUnit.MILLISECONDS))
                .build());
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
