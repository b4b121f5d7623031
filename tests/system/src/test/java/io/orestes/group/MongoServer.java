package io.orestes.group;

import io.orestes.support.process.Ports;
import io.orestes.support.process.Waiting;
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
import org.bson.BsonTimestamp;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;

/** A genuine mongod. */
final class MongoServer implements AutoCloseable {

    private static final int OP_MSG = 2013;
    private static final int BEFORE_DOCUMENT = 21;

    private final int port = Ports.free();
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

    /** Holds up the next command of one name on a collection, or on any if that is empty, for some seconds, before it is done. */
    void holdUp(String command, String collection, int seconds) {
        String where = collection.isEmpty() ? "" : " namespace: '%s',".formatted(collection);
        fail(
                "{times: 1}",
                "failCommands: ['%s'],%s blockConnection: true, blockTimeMS: %d"
                        .formatted(command, where, seconds * 1000));
    }

    /** Whether somebody waits there for a command of that name on a collection, or on any if that is empty. */
    boolean isHeldUp(String command, String collection) {
        String[] parts = collection.split("[.]", 2);
        String where = collection.isEmpty()
                ? "'command.%s': {$exists: true}".formatted(command)
                : "ns: '%s.$cmd', 'command.%s': '%s'".formatted(parts[0], command, parts[1]);
        BsonDocument found = command("{currentOp: 1, active: true, %s, $db: 'admin'}".formatted(where));
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
        requireDone(command("{setParameter: 1, transactionLifetimeLimitSeconds: %d, $db: 'admin'}".formatted(seconds)));
    }

    /** Has it answer from now on that it knows no such command. */
    void unlearn(String command) {
        fail("'alwaysOn'", "failCommands: ['%s'], errorCode: 59".formatted(command));
    }

    /** Has nobody read the changes of a database, until {@link #holdUpNothing}: whoever tries is told with that code why. */
    void tellNoChanges(String database, int code) {
        fail(
                "'alwaysOn'",
                "failCommands: ['aggregate', 'getMore'], namespace: '%s.$cmd.aggregate', errorCode: %d"
                        .formatted(database, code));
    }

    /** Has commits of transactions done from now on, but answered by a word that says nobody knows. */
    void loseAnswersToCommits() {
        fail(
                "'alwaysOn'",
                "failCommands: ['commitTransaction'], writeConcernError: {code: 64, errmsg: 'nobody knows'}");
    }

    private void fail(String mode, String data) {
        requireDone(command(
                "{configureFailPoint: 'failCommand', mode: %s, data: {%s}, $db: 'admin'}".formatted(mode, data)));
    }

    private static void requireDone(BsonDocument answer) {
        if (!answer.getNumber("ok", new BsonInt32(0)).equals(new BsonDouble(1))) {
            throw new AssertionError("Not done: " + answer);
        }
    }

    /** Writes elsewhere until nothing is left in the log of operations of what is there now. */
    void rollOver() {
        BsonTimestamp last = endOfLog(-1);
        String text = "x".repeat(4 << 20);
        Waiting.until("what was in the log is gone", () -> {
            for (int i = 0; i < 4; i++) {
                requireDone(command("{insert: 'filler', documents: [{text: '%s'}], $db: 'elsewhere'}".formatted(text)));
            }
            // it keeps what it would need after a crash
            requireDone(command("{fsync: 1, $db: 'admin'}"));
            return endOfLog(1).compareTo(last) > 0;
        });
    }

    /** The time of the first entry in a direction. */
    private BsonTimestamp endOfLog(int direction) {
        return command("{find: 'oplog.rs', sort: {$natural: %d}, limit: 1, projection: {ts: 1}, $db: 'local'}"
                        .formatted(direction))
                .getDocument("cursor")
                .getArray("firstBatch")
                .get(0)
                .asDocument()
                .getTimestamp("ts");
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

    /** Removes a document as another program would. */
    void delete(String database, String collection, String id) {
        BsonDocument answer = command(
                "{delete: '%s', deletes: [{q: {_id: '%s'}, limit: 1}], writeConcern: {w: 'majority'}, $db: '%s'}"
                        .formatted(collection, id, database));
        if (answer.getNumber("n", new BsonInt32(0)).intValue() != 1) {
            throw new AssertionError("Not deleted: " + answer);
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
