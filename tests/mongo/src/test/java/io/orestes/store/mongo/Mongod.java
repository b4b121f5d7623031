package io.orestes.store.mongo;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bson.BsonDocument;

/** A mongod of its own on a free loopback port with an empty folder; closing it ends the process and removes the folder. */
public final class Mongod implements AutoCloseable {

    private static final String PROGRAM = "ORESTES_TEST_MONGOD";
    private static final String CREDENTIALS = "root:secret@";

    /** How it is run. */
    public enum Shape {
        REPLICA_SET,
        /** One that does not wait for the disk: the contract is about what is committed. */
        QUICK_REPLICA_SET,
        STANDALONE,
        /** A standalone server that asks for a password. */
        WITH_PASSWORD
    }

    private final Shape shape;
    private final Path folder;
    private final int port;
    private Process process;
    private MongoClient admin;

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
            int port = freePort();
            Mongod mongod = new Mongod(shape, folder, port, launch(shape, folder, port));
            mongod.prepare();
            return mongod;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where clients find it. */
    public String address() {
        String credentials = shape == Shape.WITH_PASSWORD ? CREDENTIALS : "";
        String options = shape == Shape.WITH_PASSWORD ? "?authSource=admin" : "";
        return "mongodb://" + credentials + "127.0.0.1:" + port + "/test" + options;
    }

    /** The database that {@link #address} names. */
    public MongoDatabase database() {
        return admin.getDatabase("test");
    }

    /** Runs a command as an administrator. */
    public void command(String json) {
        admin.getDatabase("admin").runCommand(BsonDocument.parse(json));
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
    long reads() {
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
    void failCommands(String mode, String data) {
        command("{configureFailPoint: 'failCommand', mode: " + mode + ", data: " + data + "}");
    }

    /** Ends that. */
    void failNoCommands() {
        command("{configureFailPoint: 'failCommand', mode: 'off'}");
    }

    /** Lets the process stand still, or go on. */
    public void signal(String name) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start();
            kill.onExit().orTimeout(10, TimeUnit.SECONDS).join();
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
        switch (shape) {
            case REPLICA_SET -> initiate(true);
            case QUICK_REPLICA_SET -> initiate(false);
            case STANDALONE -> awaitPrimary();
            case WITH_PASSWORD -> {
                // the first user may be made without a password, from this machine
                command("{createUser: 'root', pwd: 'secret', roles: ['root']}");
                admin.close();
                admin = connect(address());
            }
        }
    }

    private void initiate(boolean waitsForDisk) {
        command("{replSetInitiate: {_id: 'rs0', writeConcernMajorityJournalDefault: " + waitsForDisk
                + ", members: [{_id: 0, host: '127.0.0.1:" + port + "'}]}}");
        awaitPrimary();
    }

    private void awaitPrimary() {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!isWritable()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("mongod does not take writes");
            }
            Thread.onSpinWait();
        }
    }

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

    private static List<String> command(Shape shape, Path folder, int port) {
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
        switch (shape) {
            case REPLICA_SET, QUICK_REPLICA_SET -> command.addAll(List.of("--replSet=rs0", "--oplogSize=64"));
            case STANDALONE -> {}
            case WITH_PASSWORD -> command.add("--auth");
        }
        return command;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
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
