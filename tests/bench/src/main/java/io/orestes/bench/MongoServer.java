package io.orestes.bench;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import io.orestes.store.mongo.MongoConfig;
import io.orestes.store.mongo.MongoObjectStore;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;

/** A genuine mongod, a replica set of one, on a free port of this machine with an empty folder. */
final class MongoServer implements AutoCloseable {

    private final Process process;
    private final int port;

    private MongoServer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Returns when it takes writes. */
    static MongoServer start(Lab lab) throws Exception {
        int port = freePort();
        Path data = Files.createDirectories(lab.folder("mongod"));
        Process process = new ProcessBuilder(
                        lab.tool("mongod"),
                        "--dbpath=" + data,
                        "--port=" + port,
                        "--bind_ip=127.0.0.1",
                        "--nounixsocket",
                        "--replSet=rs0",
                        "--oplogSize=512",
                        "--wiredTigerCacheSizeGB=0.5",
                        "--setParameter=diagnosticDataCollectionEnabled=false")
                .redirectErrorStream(true)
                .redirectOutput(data.resolve("log").toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        MongoServer server = new MongoServer(process, port);
        server.initiate();
        return server;
    }

    /** With this database. */
    String address(String database) {
        return "mongodb://127.0.0.1:" + port + "/" + database;
    }

    int port() {
        return port;
    }

    private void initiate() throws Exception {
        try (MongoClient client = MongoClients.create(address("admin"))) {
            Answers.of(client.getDatabase("admin")
                    .runCommand(BsonDocument.parse(
                            "{replSetInitiate: {_id: 'rs0', members: [{_id: 0, host: '127.0.0.1:" + port + "'}]}}")));
        }
        Vertx vertx = Vertx.vertx();
        // tries writes, so there is a primary afterwards
        MongoObjectStore store = MongoObjectStore.open(vertx, MongoConfig.at(address("warm")))
                .toCompletionStage()
                .toCompletableFuture()
                .get(1, TimeUnit.MINUTES);
        var unusedStore =
                store.close().toCompletionStage().toCompletableFuture().get(1, TimeUnit.MINUTES);
        var unusedVertx =
                vertx.close().toCompletionStage().toCompletableFuture().get(1, TimeUnit.MINUTES);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() {
        process.destroy();
        var ignored = process.onExit().join();
    }
}
