package io.orestes.support.mongo;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import io.orestes.support.process.ExternalProgram;
import io.orestes.support.process.Folders;
import io.orestes.support.process.Waiting;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonTimestamp;

/**
 * A genuine mongod with its data in a folder of its own. Closing it kills the process and removes
 * the folder.
 */
public final class Mongod implements AutoCloseable {

    /** The flag that enables failpoints. */
    public static final String FAIL_POINTS = "--setParameter=enableTestCommands=1";

    private static final String ROOT = "root:secret@";
    private static final int ANSWER_SECONDS = 2;
    /** The longest time until a command arrives that is to fail or to be blocked. */
    private static final int BLOCKED_SECONDS = 60;
    /** MongoDB's code for a read of a capped collection whose position was evicted meanwhile. */
    private static final int CAPPED_POSITION_LOST = 136;

    private final MongodBuilder options;
    private final ExternalProgram process;
    private final AtomicInteger pauses = new AtomicInteger();
    private MongoClient admin;
    private int users;

    Mongod(MongodBuilder options, ExternalProgram process) {
        this.options = options;
        this.process = process;
        this.admin = connect("mongodb://" + host() + "/?directConnection=true");
    }

    /**
     * Returns a builder of a mongod with its data in a folder, which is empty or does not exist
     * yet.
     */
    public static MongodBuilder in(Path folder) {
        return new MongodBuilder(folder);
    }

    /** Returns a builder of a mongod with its data among the temporary files. */
    public static MongodBuilder inTemporaryFolder() {
        return in(Folders.temporary("mongod"));
    }

    /** Starts a standalone server with failpoints. */
    public static Mongod standalone(Path folder) {
        return in(folder).flags(FAIL_POINTS).start();
    }

    /** Starts a replica set of one, with failpoints. */
    public static Mongod replicaSet(Path folder) {
        return in(folder).replicaSet("rs0").flags(FAIL_POINTS).start();
    }

    /** Returns host and port. */
    public String host() {
        return options.host();
    }

    public int port() {
        return options.port();
    }

    /** Returns the address of the database {@code test}, without the name of the replica set. */
    public String address() {
        return address("");
    }

    /** Returns the address with options such as {@code w=1&journal=false}. */
    public String address(String queryOptions) {
        return options.asksForPassword()
                ? address(ROOT, "authSource=admin&" + queryOptions)
                : address("", queryOptions);
    }

    private String address(String credentials, String queryOptions) {
        return "mongodb://" + credentials + host() + "/test" + (queryOptions.isEmpty() ? "" : "?" + queryOptions);
    }

    /**
     * Returns the connection string of a database, with the name of the replica set if there is
     * one.
     */
    public String connectionString(String database) {
        String name = options.replicaSet();
        return "mongodb://" + host() + "/" + database + (name == null ? "" : "?replicaSet=" + name);
    }

    /**
     * Adds a user with roles such as {@code {role: 'read', db: 'test'}}, and returns its address.
     */
    public String addressOfUser(String roles) {
        users++;
        command("{createUser: 'user" + users + "', pwd: 'secret', roles: [" + roles + "]}");
        return address("user" + users + ":secret@", "authSource=admin");
    }

    /** Returns the database {@code test}, as an administrator sees it. */
    public MongoDatabase database() {
        return database("test");
    }

    public MongoDatabase database(String name) {
        return admin.getDatabase(name);
    }

    /** Runs a command on the database {@code admin} as an administrator, and returns the answer. */
    @CanIgnoreReturnValue
    public BsonDocument command(String json) {
        return command("admin", json);
    }

    /** Runs a command on a database as an administrator, and returns the answer. */
    @CanIgnoreReturnValue
    public BsonDocument command(String database, String json) {
        return database(database).runCommand(BsonDocument.parse(json), BsonDocument.class);
    }

    /** Returns the answer to a command; empty if it fails, or if there is none within 2 s. */
    public Optional<BsonDocument> tryCommand(String database, String json) {
        try {
            return Optional.of(database(database)
                    .withTimeout(ANSWER_SECONDS, TimeUnit.SECONDS)
                    .runCommand(BsonDocument.parse(json), BsonDocument.class));
        } catch (MongoException noAnswer) {
            return Optional.empty();
        }
    }

    /** Waits until the server answers commands. */
    public void awaitAnswer() {
        process.await("mongod answers", () -> tryCommand("admin", "{ping: 1}").isPresent());
    }

    /** Waits until the server takes writes. */
    public void awaitPrimary() {
        process.await("mongod takes writes", this::isPrimary);
    }

    /** Returns whether the server takes writes, as far as it knows. */
    public boolean isPrimary() {
        return tryCommand("admin", "{hello: 1}")
                .map(hello -> hello.getBoolean("isWritablePrimary", BsonBoolean.FALSE))
                .filter(BsonBoolean::getValue)
                .isPresent();
    }

    /**
     * Initiates the replica set and creates the administrator. Every user of this machine may do so
     * before there are users.
     */
    void prepare() {
        awaitAnswer();
        if (options.replicaSet() != null) {
            initiate();
        }
        awaitPrimary();
        if (options.asksForPassword()) {
            command("{createUser: 'root', pwd: 'secret', roles: ['root']}");
            admin.close();
            admin = connect(address());
        }
    }

    private void initiate() {
        String members = "[{_id: 0, host: '%s'}]".formatted(host());
        command("{replSetInitiate: {_id: '%s', writeConcernMajorityJournalDefault: %s, members: %s}}"
                .formatted(options.replicaSet(), options.waitsForDisk(), members));
    }

    /** Returns the process, for suites that stop and start it among others. */
    public ExternalProgram process() {
        return process;
    }

    /** Kills the process at once, as the kernel would. */
    public void kill() {
        process.kill();
    }

    /** Starts the server again on the same data, and waits until it takes writes. */
    public void restart() {
        process.start();
        awaitPrimary();
    }

    /** Pauses the process; returns when all its threads have stopped. */
    public void pause() {
        pauses.incrementAndGet();
        process.pause();
    }

    public void resume() {
        process.resume();
        pauses.incrementAndGet();
    }

    /** Returns how often the process was paused or resumed. */
    public int pauses() {
        return pauses.get();
    }

    // Failpoints

    /**
     * Fails or blocks commands as {@code data} says (failpoint {@code failCommand}).
     *
     * @return the number of commands so far, for {@link #awaitFailedCommand}
     */
    @CanIgnoreReturnValue
    public int failCommands(String mode, String data) {
        return command("{configureFailPoint: 'failCommand', mode: " + mode + ", data: " + data + "}")
                .getInt32("count")
                .getValue();
    }

    /**
     * Waits until more commands than before have failed, or are or were blocked. Unlike {@link
     * #isUnderWay} it does not miss one that was not blocked for long.
     */
    public void awaitFailedCommand(int before) {
        command("{waitForFailPoint: 'failCommand', timesEntered: {$numberLong: '%d'}, maxTimeMS: %d}"
                .formatted(before + 1, TimeUnit.SECONDS.toMillis(BLOCKED_SECONDS)));
    }

    /** Ends the failures of commands, and waits until those that are blocked are done. */
    public void failNoCommands() {
        command("{configureFailPoint: 'failCommand', mode: 'off'}");
    }

    /**
     * Blocks the next command of a name for some seconds, before it is done.
     *
     * @param namespace of the collection; empty for any
     * @return the number of failed commands so far, for {@link #awaitFailedCommand}
     */
    @CanIgnoreReturnValue
    public int blockCommand(String name, String namespace, int seconds) {
        String where = namespace.isEmpty() ? "" : " namespace: '%s',".formatted(namespace);
        return failCommands(
                "{times: 1}",
                "{failCommands: ['%s'],%s blockConnection: true, blockTimeMS: %d}"
                        .formatted(name, where, seconds * 1000));
    }

    /**
     * Returns whether a command of a name is under way.
     *
     * @param namespace of the collection; empty for any
     */
    public boolean isUnderWay(String name, String namespace) {
        String[] parts = namespace.split("[.]", 2);
        String where = namespace.isEmpty()
                ? "'command.%s': {$exists: true}".formatted(name)
                : "ns: '%s.$cmd', 'command.%s': '%s'".formatted(parts[0], name, parts[1]);
        BsonDocument found = command("{currentOp: 1, active: true, %s}".formatted(where));
        return !found.getArray("inprog", new BsonArray()).isEmpty();
    }

    /** Rejects commands of a name as unknown. */
    public void rejectCommand(String name) {
        failCommands("'alwaysOn'", "{failCommands: ['%s'], errorCode: 59}".formatted(name));
    }

    /** Fails the change stream of a database with an error code. */
    public void failChangeStream(String database, int code) {
        failCommands(
                "'alwaysOn'",
                "{failCommands: ['aggregate', 'getMore'], namespace: '%s.$cmd.aggregate', errorCode: %d}"
                        .formatted(database, code));
    }

    /** Commits transactions, and answers that their outcome is unknown. */
    public void hideCommitOutcomes() {
        failCommands(
                "'alwaysOn'",
                "{failCommands: ['commitTransaction'], writeConcernError: {code: 64, errmsg: 'nobody knows'}}");
    }

    // What it has done

    /** Returns the number of commands with these names that it received so far. */
    public long commands(String... names) {
        BsonDocument counts =
                command("{serverStatus: 1}").getDocument("metrics").getDocument("commands");
        return Stream.of(names)
                .mapToLong(name -> counts.getDocument(name).getInt64("total").getValue())
                .sum();
    }

    /** Returns the number of reads of the {@link #database()} so far, system collections aside. */
    public long reads() {
        BsonDocument totals = command("{top: 1}").getDocument("totals");
        return totals.keySet().stream()
                .filter(collection -> collection.startsWith("test."))
                .mapToLong(collection -> totals.getDocument(collection)
                        .getDocument("queries")
                        .getNumber("count")
                        .longValue())
                .sum();
    }

    /**
     * Returns the finds in the {@link #database()} during some work, in the order of their answers.
     */
    public List<BsonDocument> finds(Runnable work) {
        command("test", "{profile: 2}");
        try {
            work.run();
        } finally {
            command("test", "{profile: 0}");
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

    /** Returns the ids of the cursors on change streams at which a client is waiting. */
    public Set<Long> changeStreamCursors() {
        BsonDocument found = command("{aggregate: 1, cursor: {},"
                + " pipeline: [{$currentOp: {allUsers: true}}, {$match: {op: 'getmore'}}]}");
        return found.getDocument("cursor").getArray("firstBatch").stream()
                .map(operation -> operation.asDocument().getDocument("cursor", new BsonDocument()))
                .filter(cursor -> cursor.toString().contains("$changeStream"))
                .map(cursor -> cursor.getNumber("cursorId").longValue())
                .collect(Collectors.toSet());
    }

    /** Returns the number of documents of a collection that meet a filter, by what is committed. */
    public long count(String database, String collection, String filter) {
        return command(database, "{count: '%s', query: %s}".formatted(collection, filter))
                .getNumber("n")
                .longValue();
    }

    // What other programs and administrators do

    /**
     * Updates a document as another program would.
     *
     * @param update one of MongoDB's, or a whole document
     * @param isInsertion whether the document is inserted if it is absent
     */
    public void update(String database, String collection, String id, String update, boolean isInsertion) {
        requireOne(command(
                database,
                "{update: '%s', updates: [{q: {_id: '%s'}, u: %s, upsert: %s}], writeConcern: {w: 'majority'}}"
                        .formatted(collection, id, update, isInsertion)));
    }

    /** Deletes a document as another program would. */
    public void delete(String database, String collection, String id) {
        requireOne(command(
                database,
                "{delete: '%s', deletes: [{q: {_id: '%s'}, limit: 1}], writeConcern: {w: 'majority'}}"
                        .formatted(collection, id)));
    }

    private static void requireOne(BsonDocument answer) {
        if (answer.getNumber("n", new BsonInt32(0)).intValue() != 1) {
            throw new AssertionError("Not done: " + answer);
        }
    }

    /** Sets the seconds after which the server aborts a transaction that does not end. */
    public void limitTransactions(int seconds) {
        command("{setParameter: 1, transactionLifetimeLimitSeconds: %d}".formatted(seconds));
    }

    /** Writes to another database until the oplog has dropped all its current entries. */
    public void rollOverOplog() {
        BsonTimestamp last = readOplogTime(-1);
        String text = "x".repeat(4 << 20);
        Waiting.until("the oplog evicts its oldest entries", () -> {
            for (int i = 0; i < 4; i++) {
                command("elsewhere", "{insert: 'filler', documents: [{text: '%s'}]}".formatted(text));
            }
            // it retains what it would need after a crash
            command("{fsync: 1}");
            return isOplogAfter(last);
        });
    }

    /**
     * Returns whether all entries of the oplog are later than a time. The answer is also no if the
     * server evicts entries during the read.
     */
    private boolean isOplogAfter(BsonTimestamp time) {
        try {
            return readOplogTime(1).compareTo(time) > 0;
        } catch (MongoCommandException failure) {
            if (failure.getErrorCode() != CAPPED_POSITION_LOST) {
                throw failure;
            }
            return false;
        }
    }

    /** Returns the time of the first entry in a direction. */
    private BsonTimestamp readOplogTime(int direction) {
        return command(
                        "local",
                        "{find: 'oplog.rs', sort: {$natural: %d}, limit: 1, projection: {ts: 1}}".formatted(direction))
                .getDocument("cursor")
                .getArray("firstBatch")
                .get(0)
                .asDocument()
                .getTimestamp("ts");
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

    @Override
    public void close() {
        admin.close();
        process.close();
        Folders.delete(options.folder());
    }
}
