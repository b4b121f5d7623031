package io.orestes.store.mongo.probe;

import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndReplaceOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Updates;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.orestes.async.Loop;
import io.orestes.store.mongo.driver.MongoConnection;
import io.orestes.store.mongo.driver.MongoErrors;
import io.orestes.store.mongo.driver.PublisherAdapter;
import io.orestes.store.mongo.driver.TransactionAborter;
import io.orestes.store.mongo.read.LinearizableReader;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.bson.BSONException;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.conversions.Bson;

/**
 * A probe of a server's capabilities, which exercises each required feature in a temporary
 * collection. Several programs speak MongoDB's protocol, and some of them lose updates or leave out
 * features without an error.
 */
public final class ServerProbe {

    private static final int WRITERS = 8;
    private static final int ROUNDS = 25;
    private static final String COUNTER = "n";
    private static final String NO_PLACES = "geo indexes: $near and $nearSphere are refused";
    private static final String NO_SESSION_ABORT =
            "$currentOp or killSessions: objects of a transaction whose server died cannot be written for a minute";
    private static final String NO_LINEARIZABLE_READS =
            "linearizable reads: a primary that is cut off may answer and refuse for a state that no majority has";

    private static final FindOneAndUpdateOptions AFTER =
            new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER);

    private final MongoDatabase database;
    private final PublisherAdapter publisherAdapter;
    private final MongoCollection<BsonDocument> scratch;
    private final TransactionProbe transactionProbe;
    private final ChangeStreamProbe changes;
    private final TopologyCheck topology;
    private final TransactionAborter open;
    private final LinearizableReader readIndex;

    /**
     * Creates the probe of a database.
     *
     * @param topology check of the kind of the server
     * @param connection sessions and transactions of the same server, which are probed, too
     * @param patience time in which the server has to deliver a change event, and to confirm a read
     */
    public ServerProbe(MongoDatabase database, TopologyCheck topology, MongoConnection connection, Duration patience) {
        this.database = database;
        this.topology = topology;
        this.open = connection.aborter();
        this.publisherAdapter = connection.publishers();
        this.scratch = database.getCollection("orestes-probe-" + UUID.randomUUID(), BsonDocument.class)
                .withWriteConcern(WriteConcern.W1);
        this.transactionProbe = new TransactionProbe(scratch, connection.transactions(), publisherAdapter);
        this.changes = new ChangeStreamProbe(database, scratch, connection.sessions(), publisherAdapter, patience);
        this.readIndex = new LinearizableReader(
                connection.home(),
                connection.sessions(),
                publisherAdapter,
                scratch.withReadConcern(ReadConcern.LINEARIZABLE),
                patience);
    }

    /**
     * Probes the server. Fails with {@link UnusableServerException} if objects would not be safe
     * there.
     */
    public Future<ServerCapabilities> run() {
        return product().compose(product -> {
            Future<ServerCapabilities> found = requireAll().compose(safe -> findings(product));
            return found.transform(
                    outcome -> publisherAdapter.first(scratch.drop()).transform(dropped -> found));
        });
    }

    private Future<String> product() {
        return command("{hello: 1}").compose(hello -> topology.require(hello)
                .compose(replicated -> command("{buildInfo: 1}"))
                .map(build -> ServerProductName.of(build, hello)));
    }

    private Future<ServerCapabilities> findings(String product) {
        List<String> missing = new ArrayList<>();
        return note(missing, NO_PLACES, has(findsNearest()))
                .compose(noted -> note(missing, NO_SESSION_ABORT, has(open.requirePermissions())))
                .compose(noted -> note(missing, NO_LINEARIZABLE_READS, has(readIndex.probe())))
                .map(reads -> new ServerCapabilities(product, reads, missing));
    }

    private Future<Void> requireAll() {
        return require("loses updates when several writers change one document", this::countsTogether)
                .compose(fair ->
                        require("lets several writers replace one version of a document", this::comparesAndSwaps))
                .compose(fair -> require(
                        "does not report which key a document has in common with another", this::namesDuplicates))
                .compose(met -> require("lets two documents have one value in a unique index", this::keepsUnique))
                .compose(met -> require("does not preserve decimal numbers or arrays of arrays", this::keepsValues))
                .compose(safe -> require("has no transactions", transactionProbe::run))
                .compose(safe -> require("does not deliver changes by change streams", changes::run));
    }

    /**
     * Requires a feature. A failure of the check itself counts as its absence, unless the server
     * cannot be reached.
     */
    private static Future<Void> require(String complaint, Supplier<Future<Boolean>> check) {
        return check.get()
                .recover(failure -> isAnswer(failure) ? Future.succeededFuture(false) : Future.failedFuture(failure))
                .compose(isMet -> isMet
                        ? Future.succeededFuture()
                        : Future.failedFuture(new UnusableServerException("The server at the MongoDB address "
                                + complaint + ": objects would not be safe there")));
    }

    /**
     * True if the server refused the command although the user has the privilege, or sent an
     * unexpected response.
     */
    private static boolean isAnswer(Throwable failure) {
        return (MongoErrors.isCommandError(failure) && !MongoErrors.isUnauthorizedError(failure)) || isOdd(failure);
    }

    private static boolean isOdd(Throwable failure) {
        return failure instanceof BSONException || failure instanceof NoSuchElementException;
    }

    private static Future<Boolean> note(List<String> missing, String what, Future<Boolean> attempt) {
        return attempt.onSuccess(isThere -> {
            if (!isThere) {
                missing.add(what);
            }
        });
    }

    /**
     * Returns whether an attempt succeeds. Fails if it may succeed another time, because all
     * servers of a group must find the same capabilities.
     */
    private static Future<Boolean> has(Future<?> attempt) {
        return attempt.map(true).recover(ServerProbe::unlessAbsent);
    }

    private static Future<Boolean> unlessAbsent(Throwable failure) {
        return MongoErrors.isUnsupportedError(failure) || isOdd(failure)
                ? Future.succeededFuture(false)
                : Future.failedFuture(failure);
    }

    private Future<Boolean> countsTogether() {
        BsonDocument counter = BsonDocument.parse("{_id: 'counter', n: {$numberLong: '0'}}");
        return publisherAdapter
                .first(scratch.insertOne(counter))
                .compose(inserted -> Future.all(IntStream.range(0, WRITERS)
                        .mapToObj(writer -> countOften())
                        .toList()))
                .map(all -> areDistinct(all.<List<Long>>list()));
    }

    /** True if the images of all writers together are each number once. */
    static boolean areDistinct(List<List<Long>> images) {
        return images.stream()
                .flatMap(List::stream)
                .sorted()
                .toList()
                .equals(LongStream.rangeClosed(1, (long) WRITERS * ROUNDS)
                        .boxed()
                        .toList());
    }

    private Future<List<Long>> countOften() {
        List<Long> images = new ArrayList<>();
        return Loop.whileTrue(() -> publisherAdapter
                        .first(scratch.findOneAndUpdate(Filters.eq("counter"), Updates.inc(COUNTER, 1L), AFTER))
                        .map(image -> {
                            images.add(image.orElseThrow().getNumber(COUNTER).longValue());
                            return images.size() < ROUNDS;
                        }))
                .map(done -> images);
    }

    private Future<Boolean> comparesAndSwaps() {
        int[] fair = {0};
        long[] version = {1};
        return publisherAdapter
                .first(scratch.insertOne(versioned(1)))
                .compose(inserted -> Loop.whileTrue(() -> winners(version[0]).map(winners -> {
                    fair[0] += winners == 1 ? 1 : 0;
                    version[0]++;
                    return version[0] <= ROUNDS;
                })))
                .map(done -> fair[0] == ROUNDS);
    }

    private Future<Long> winners(long version) {
        Bson current = Filters.and(Filters.eq("swapped"), Filters.eq("version", version));
        List<Future<Optional<BsonDocument>>> writes = IntStream.range(0, WRITERS)
                .mapToObj(writer -> publisherAdapter.first(scratch.findOneAndReplace(current, versioned(version + 1))))
                .toList();
        return Future.all(writes).map(all -> writes.stream()
                .filter(write -> write.result().isPresent())
                .count());
    }

    private static BsonDocument versioned(long version) {
        return BsonDocument.parse("{_id: 'swapped'}").append("version", new BsonInt64(version));
    }

    /** Tests insertions as the store makes them: as the replacement of an absent document. */
    private Future<Boolean> namesDuplicates() {
        FindOneAndReplaceOptions upsert = new FindOneAndReplaceOptions().upsert(true);
        Bson nothing = Filters.and(Filters.eq("twin"), Filters.eq("version", 0L));
        BsonDocument twin = BsonDocument.parse("{_id: 'twin', version: {$numberLong: '1'}}");
        return publisherAdapter
                .first(scratch.findOneAndReplace(nothing, twin, upsert))
                .compose(first ->
                        isDuplicate(publisherAdapter.first(scratch.findOneAndReplace(nothing, twin, upsert)), "_id"));
    }

    private Future<Boolean> keepsUnique() {
        IndexOptions unique = new IndexOptions().unique(true).sparse(true);
        return publisherAdapter
                .first(scratch.createIndex(BsonDocument.parse("{places: 1}"), unique))
                .compose(made -> insert("{_id: 'a', places: [1, 2]}"))
                .compose(inserted -> insert("{_id: 'b'}"))
                .compose(inserted -> insert("{_id: 'c'}"))
                .compose(inserted -> isDuplicate(
                        publisherAdapter.first(
                                scratch.findOneAndUpdate(Filters.eq("b"), Updates.addToSet("places", 2))),
                        "places"));
    }

    private static Future<Boolean> isDuplicate(Future<?> write, String key) {
        return write.map(false)
                .recover(failure -> MongoErrors.isDuplicate(failure)
                        ? Future.succeededFuture(MongoErrors.duplicate(failure).containsKey(key))
                        : Future.failedFuture(failure));
    }

    private Future<Boolean> keepsValues() {
        BsonDocument document =
                BsonDocument.parse("{_id: 'values', d: {$numberDecimal: '1.00'}, a: [[1, [2]], {'x.y': 1}]}");
        return publisherAdapter
                .first(scratch.insertOne(document))
                .compose(inserted -> publisherAdapter.first(
                        scratch.find(Filters.eq("values")).first()))
                .map(found -> found.filter(document::equals).isPresent());
    }

    private Future<?> findsNearest() {
        return publisherAdapter
                .first(scratch.createIndex(BsonDocument.parse("{place: '2dsphere'}")))
                .compose(made -> insert("{_id: 'place', place: {type: 'Point', coordinates: [1, 2]}}"))
                .compose(inserted ->
                        found("{place: {$nearSphere: {$geometry: {type: 'Point', coordinates: [1, 2]}}}}", "place"));
    }

    private Future<?> found(String filter, String id) {
        return publisherAdapter
                .first(scratch.find(BsonDocument.parse(filter)).first())
                .map(found -> found.filter(
                                document -> document.getString("_id").getValue().equals(id))
                        .orElseThrow());
    }

    private Future<?> insert(String json) {
        return publisherAdapter.first(scratch.insertOne(BsonDocument.parse(json)));
    }

    private Future<BsonDocument> command(String json) {
        return publisherAdapter
                .first(database.runCommand(BsonDocument.parse(json), BsonDocument.class))
                .map(Optional::orElseThrow);
    }
}
