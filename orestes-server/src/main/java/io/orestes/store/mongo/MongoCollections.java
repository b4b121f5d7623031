package io.orestes.store.mongo;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;

/**
 * The mapping of buckets, and of the store's own data, to collections of MongoDB. The objects of a
 * class are in the collection of its name. The store's own data are in collections whose names
 * cannot be those of classes.
 */
final class MongoCollections {

    /**
     * The places that an object holds in unique indexes, as binary values. Clients cannot name it,
     * and never see it.
     */
    static final String PLACES = "_unique";

    /**
     * The {@linkplain WordHashes words} of an object, by the number of the index that they are for.
     * Clients cannot name it, and never see it.
     */
    static final String WORDS = "_words";

    /**
     * The {@linkplain CompletionRecords last writes} of processes to an object. Clients cannot name
     * it, and never see it.
     */
    static final String WRITES = "_writes";

    /** What documents hold beside their objects. */
    static final List<String> HELD = List.of(PLACES, WORDS, WRITES);

    /** Where servers are asked about themselves. */
    static final String ADMIN = "admin";

    private static final String TOMBSTONES = "orestes-tombstones";
    private static final String INDEXES = "orestes-indexes";
    private static final String CHANGES = "orestes-changes";

    /** What precedes the names of classes that MongoDB would not have as names of collections. */
    private static final String PREFIX = "orestes-class-";

    /**
     * Collections that hold no objects of users: ours, those of MongoDB, and the classes of the
     * server.
     */
    static final String NOT_OF_CLASSES = "^(_|system[.]|orestes-(?!class-))";

    /** MongoDB keeps these for itself. */
    private static final String RESERVED = "system.";

    private final MongoDatabase server;
    private final MongoDatabase database;

    /** @param server where the server is asked about itself */
    MongoCollections(MongoDatabase server, MongoDatabase database) {
        this.server = server;
        this.database = database;
    }

    /** What is needed before the first object. */
    Future<?> prepare(PublisherAdapter publisherAdapter) {
        IndexOptions expiring = new IndexOptions().expireAfter(TombstoneCollection.KEPT.toSeconds(), TimeUnit.SECONDS);
        return publisherAdapter.first(
                tombstones().createIndex(Indexes.ascending(TombstoneCollection.WRITTEN_AT), expiring));
    }

    /** Creates the collection of a bucket unless it exists. */
    Future<?> create(String bucket, PublisherAdapter publisherAdapter) {
        return publisherAdapter
                .first(database.createCollection(name(bucket)))
                .<Object>map(created -> created)
                .recover(failure -> MongoErrors.isOfCollection(failure)
                        ? Future.succeededFuture(bucket)
                        : Future.failedFuture(failure));
    }

    /** To be written, and read as the next writer finds it. */
    MongoCollection<BsonDocument> newest(String bucket) {
        return database.getCollection(name(bucket), BsonDocument.class);
    }

    /** To be read by everybody else. */
    MongoCollection<BsonDocument> committed(String bucket) {
        return newest(bucket).withReadConcern(ReadConcern.MAJORITY);
    }

    /** A collection of which each read is confirmed by a majority, for a {@link ReadIndex}. */
    MongoCollection<BsonDocument> linearizable() {
        return indexes().withReadConcern(ReadConcern.LINEARIZABLE);
    }

    /** When the last lives of deleted objects ended. */
    MongoCollection<BsonDocument> tombstones() {
        return database.getCollection(TOMBSTONES, BsonDocument.class);
    }

    /** Those that no change of the primary could undo. */
    MongoCollection<BsonDocument> committedTombstones() {
        return tombstones().withReadConcern(ReadConcern.MAJORITY);
    }

    /** Which indexes are declared. */
    MongoCollection<BsonDocument> indexes() {
        return database.getCollection(INDEXES, BsonDocument.class);
    }

    /** How far the changes of objects were read. */
    MongoCollection<BsonDocument> changes() {
        return database.getCollection(CHANGES, BsonDocument.class);
    }

    /** All of them together, as far as the server is asked about their changes. */
    MongoDatabase database() {
        return database;
    }

    /** The class whose objects are in a collection. */
    static String bucket(String collection) {
        return collection.startsWith(PREFIX) ? collection.substring(PREFIX.length()) : collection;
    }

    /** Where the server is asked about itself. */
    MongoDatabase ofServer() {
        return server;
    }

    private static String name(String bucket) {
        return bucket.startsWith(RESERVED) ? PREFIX + bucket : bucket;
    }
}
