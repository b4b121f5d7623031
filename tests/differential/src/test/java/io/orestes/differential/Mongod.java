package io.orestes.differential;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A mongod of its own on a free loopback port with an empty folder; closing it ends the process and removes the folder. */
final class Mongod implements AutoCloseable {

    private static final String PROGRAM = "ORESTES_TEST_MONGOD";

    private final Path folder;
    private final Process process;
    private final MongoClient client;

    private Mongod(Path folder, Process process, MongoClient client) {
        this.folder = folder;
        this.process = process;
        this.client = client;
    }

    /** Starts one and waits until it answers. */
    static Mongod start() throws IOException {
        Path folder = Files.createTempDirectory("mongod");
        int port = freePort();
        Process process = new ProcessBuilder(command(folder, port))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        return new Mongod(folder, process, connect(port));
    }

    private static List<String> command(Path folder, int port) {
        String program = Optional.ofNullable(System.getenv(PROGRAM))
                .orElseThrow(() -> new IllegalStateException(PROGRAM + " is not set; tests/differential/run sets it"));
        return List.of(
                program,
                "--dbpath=" + folder,
                "--port=" + port,
                "--bind_ip=127.0.0.1",
                "--nounixsocket",
                "--wiredTigerCacheSizeGB=0.25",
                "--setParameter=diagnosticDataCollectionEnabled=false");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static MongoClient connect(int port) {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString("mongodb://127.0.0.1:" + port))
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(30, TimeUnit.SECONDS))
                .applyToServerSettings(server -> server.minHeartbeatFrequency(50, TimeUnit.MILLISECONDS)
                        .heartbeatFrequency(500, TimeUnit.MILLISECONDS))
                .build());
    }

    MongoDatabase database() {
        return client.getDatabase("differential");
    }

    @Override
    public void close() throws IOException {
        client.close();
        process.destroy();
        process.onExit().orTimeout(30, TimeUnit.SECONDS).join();
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(Mongod::delete);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
