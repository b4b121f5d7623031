package io.orestes.group;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonBinaryReader;
import org.bson.BsonBinaryWriter;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;

/** A genuine mongod. */
final class MongoServer implements AutoCloseable {

    private static final int OP_MSG = 2013;
    private static final int BEFORE_DOCUMENT = 21;

    private final int port = Ports.free(1).get(0);
    private final String options;
    private final Process process;

    private MongoServer(Path folder, String options, String... flags) throws IOException {
        this.options = options;
        Files.createDirectories(folder);
        List<String> command = new ArrayList<>(List.of(
                Objects.requireNonNull(System.getenv("ORESTES_TEST_MONGOD")),
                "--dbpath=" + folder,
                "--port=" + port,
                "--bind_ip=127.0.0.1",
                "--nounixsocket",
                "--wiredTigerCacheSizeGB=0.25",
                "--setParameter=diagnosticDataCollectionEnabled=false",
                "--setParameter=enableTestCommands=1"));
        command.addAll(List.of(flags));
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        Waiting.until("mongod starts", () -> command("{ping: 1, $db: 'admin'}").containsKey("ok"));
    }

    /** A replica set of one, with its data in an empty folder. */
    static MongoServer replicaSet(Path folder) throws IOException {
        MongoServer server = new MongoServer(folder, "?replicaSet=rs0", "--replSet=rs0", "--oplogSize=64");
        BsonDocument initiated = server.command(
                "{replSetInitiate: {_id: 'rs0', members: [{_id: 0, host: '127.0.0.1:%d'}]}, $db: 'admin'}"
                        .formatted(server.port));
        Waiting.until("mongod leads, initiated with " + initiated, server::isWritable);
        return server;
    }

    /** One that is none, and has no transactions. */
    static MongoServer standalone(Path folder) throws IOException {
        MongoServer server = new MongoServer(folder, "");
        Waiting.until("mongod takes writes", server::isWritable);
        return server;
    }

    /** Where clients find a database of that name. */
    String address(String database) {
        return "mongodb://127.0.0.1:" + port + "/" + database + options;
    }

    /** Holds up the next command of one name on a collection for some seconds, before it is done. */
    void holdUp(String command, String collection, int seconds) {
        BsonDocument answer = command(
                ("{configureFailPoint: 'failCommand', mode: {times: 1}, data: {failCommands: ['%s'], namespace: '%s',"
                                + " blockConnection: true, blockTimeMS: %d}, $db: 'admin'}")
                        .formatted(command, collection, seconds * 1000));
        if (!answer.getNumber("ok", new BsonInt32(0)).equals(new BsonDouble(1))) {
            throw new AssertionError("Not held up: " + answer);
        }
    }

    /** Whether somebody waits there for a command of that name on a collection. */
    boolean isHeldUp(String command, String collection) {
        String[] parts = collection.split("[.]", 2);
        BsonDocument found = command("{currentOp: 1, active: true, ns: '%s.$cmd', 'command.%s': '%s', $db: 'admin'}"
                .formatted(parts[0], command, parts[1]));
        return !found.getArray("inprog", new BsonArray()).isEmpty();
    }

    /** Ids of the cursors on change streams that somebody waits at right now. */
    Set<Long> changeStreams() {
        BsonDocument found = command(
                "{aggregate: 1, pipeline: [{$currentOp: {allUsers: true}}, {$match: {op: 'getmore'}}], cursor: {}, $db: 'admin'}");
        return found.getDocument("cursor").getArray("firstBatch").stream()
                .map(operation -> operation.asDocument().getDocument("cursor", new BsonDocument()))
                .filter(cursor -> cursor.toString().contains("$changeStream"))
                .map(cursor -> cursor.getNumber("cursorId").longValue())
                .collect(Collectors.toSet());
    }

    /** For how long transactions are kept that nobody ends. */
    void keepTransactions(int seconds) {
        BsonDocument answer =
                command("{setParameter: 1, transactionLifetimeLimitSeconds: %d, $db: 'admin'}".formatted(seconds));
        if (!answer.getNumber("ok", new BsonInt32(0)).equals(new BsonDouble(1))) {
            throw new AssertionError("Not set: " + answer);
        }
    }

    /** Has it answer from now on that it knows no such command. */
    void unlearn(String command) {
        BsonDocument answer = command(
                "{configureFailPoint: 'failCommand', mode: 'alwaysOn', data: {failCommands: ['%s'], errorCode: 59}, $db: 'admin'}"
                        .formatted(command));
        if (!answer.getNumber("ok", new BsonInt32(0)).equals(new BsonDouble(1))) {
            throw new AssertionError("Not unlearned: " + answer);
        }
    }

    /** Ends that, also for what is held up. */
    void holdUpNothing() {
        BsonDocument unused = command("{configureFailPoint: 'failCommand', mode: 'off', $db: 'admin'}");
    }

    /** How many documents of a collection meet a condition, by what is committed there. */
    long count(String database, String collection, String filter) {
        return command("{count: '%s', query: %s, $db: '%s'}".formatted(collection, filter, database))
                .getNumber("n")
                .longValue();
    }

    /** Does as another program would, to a document with an id; {@code update} is one of MongoDB's, or a whole document. */
    void update(String database, String collection, String id, String update, boolean isInsertion) {
        BsonDocument answer = command(
                "{update: '%s', updates: [{q: {_id: '%s'}, u: %s, upsert: %s}], writeConcern: {w: 'majority'}, $db: '%s'}"
                        .formatted(collection, id, update, isInsertion, database));
        if (answer.getNumber("n", new BsonInt32(0)).intValue() != 1) {
            throw new AssertionError("Not written: " + answer);
        }
    }

    /** Lets the process stand still, or go on. */
    void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start();
        if (!kill.waitFor(10, TimeUnit.SECONDS)) {
            throw new AssertionError("No signal " + name);
        }
    }

    private boolean isWritable() {
        return command("{hello: 1, $db: 'admin'}")
                .getBoolean("isWritablePrimary", BsonBoolean.FALSE)
                .getValue();
    }

    /** One message and its answer (MongoDB wire protocol, OP_MSG); an empty document if there is none. */
    private BsonDocument command(String json) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            byte[] document = encoded(BsonDocument.parse(json));
            ByteBuffer message =
                    ByteBuffer.allocate(BEFORE_DOCUMENT + document.length).order(ByteOrder.LITTLE_ENDIAN);
            message.putInt(message.capacity())
                    .putInt(1)
                    .putInt(0)
                    .putInt(OP_MSG)
                    .putInt(0)
                    .put((byte) 0)
                    .put(document);
            socket.getOutputStream().write(message.array());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            byte[] answer = in.readNBytes(Integer.reverseBytes(in.readInt()) - Integer.BYTES);
            return decoded(ByteBuffer.wrap(
                            answer, BEFORE_DOCUMENT - Integer.BYTES, answer.length - BEFORE_DOCUMENT + Integer.BYTES)
                    .slice());
        } catch (IOException notThere) {
            return new BsonDocument();
        }
    }

    private static byte[] encoded(BsonDocument document) {
        BasicOutputBuffer bytes = new BasicOutputBuffer();
        try (BsonBinaryWriter writer = new BsonBinaryWriter(bytes)) {
            new BsonDocumentCodec()
                    .encode(writer, document, EncoderContext.builder().build());
        }
        return bytes.toByteArray();
    }

    private static BsonDocument decoded(ByteBuffer bytes) {
        try (BsonBinaryReader reader = new BsonBinaryReader(bytes)) {
            return new BsonDocumentCodec()
                    .decode(reader, DecoderContext.builder().build());
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().orTimeout(30, TimeUnit.SECONDS).join();
    }
}
