package io.orestes.store.mongo.document;

import com.mongodb.ReadConcern;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.orestes.store.mongo.driver.MongoErrors;
import io.orestes.store.mongo.driver.PublisherAdapter;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;

/**
 * The mapping of buckets, and of the store's own data, to collections of MongoDB. The objects of a
 * class are in the collection of its name. The store's own data are in collections whose names
 * cannot be those of classes.
 */
public final class MongoCollections {

    /**
     * Field with the keys of an object in unique indexes, as binary values. Clients cannot name it,
     * and never see it.
     */
    public static final String UNIQUE_KEYS = "_unique";

    /**
     * Field with the hashes of an object's words, by the number of their index. Clients cannot name
     * it, and never see it.
     */
    public static final String WORDS = "_words";

    /**
     * Field with the {@linkplain CompletionRecords last writes} of processes to an object. Clients
     * cannot name it, and never see it.
     */
    public static final String WRITES = "_writes";

    /** Hidden fields of documents, which are no fields of their objects. */
    public static final List<String> HIDDEN_FIELDS = List.of(UNIQUE_KEYS, WORDS, WRITES);

    private static final String TOMBSTONES = "orestes-tombstones";
    private static final String INDEXES = "orestes-indexes";
    private static final String CHANGES = "orestes-changes";

    /**
     * Prefix of collections of classes whose names MongoDB does not accept as names of collections.
     */
    private static final String PREFIX = "orestes-class-";

    /**
     * Pattern of collections that contain no objects of users: ours, those of MongoDB, and the
     * classes of the server.
     */
    public static final String NOT_OF_CLASSES = "^(_|system[.]|orestes-(?!class-))";

    /** Prefix that MongoDB reserves for itself. */
    private static final String RESERVED = "system.";

    private final MongoDatabase server;
    private final MongoDatabase database;
    private final PublisherAdapter publishers;

    /**
     * @param server database for commands about the server itself
     * @param publishers adapter by which the publishers of the collections are read
     */
    public MongoCollections(MongoDatabase server, MongoDatabase database, PublisherAdapter publishers) {
        this.server = server;
        this.database = database;
        this.publishers = publishers;
    }

    /** Returns the adapter by which the publishers of the collections are read. */
    public PublisherAdapter publishers() {
        return publishers;
    }

    /** Returns the same collections, whose publishers are read by another adapter. */
    public MongoCollections readBy(PublisherAdapter others) {
        return new MongoCollections(server, database, others);
    }

    /** Creates what is needed before the first object. */
    public Future<?> prepare() {
        IndexOptions expiring =
                new IndexOptions().expireAfter(TombstoneCollection.RETENTION.toSeconds(), TimeUnit.SECONDS);
        return publishers.first(tombstones().createIndex(Indexes.ascending(TombstoneCollection.WRITTEN_AT), expiring));
    }

    /** Creates the collection of a bucket unless it exists. */
    public Future<?> create(String bucket) {
        return publishers
                .first(database.createCollection(name(bucket)))
                .<Object>map(created -> created)
                .recover(failure -> MongoErrors.isCollectionExistsError(failure)
                        ? Future.succeededFuture(bucket)
                        : Future.failedFuture(failure));
    }

    /** Returns a collection for writes, and for reads of the newest states by writers. */
    public MongoCollection<BsonDocument> newest(String bucket) {
        return database.getCollection(name(bucket), BsonDocument.class);
    }

    /** Returns a collection for all other reads. */
    public MongoCollection<BsonDocument> committed(String bucket) {
        return newest(bucket).withReadConcern(ReadConcern.MAJORITY);
    }

    /** Returns a collection of which each read is confirmed by a majority, for a read index. */
    public MongoCollection<BsonDocument> linearizable() {
        return indexes().withReadConcern(ReadConcern.LINEARIZABLE);
    }

    /** Returns the collection of tombstones, with the ends of the last lives of deleted objects. */
    MongoCollection<BsonDocument> tombstones() {
        return database.getCollection(TOMBSTONES, BsonDocument.class);
    }

    /** Returns the collection of tombstones for reads that no failover could undo. */
    MongoCollection<BsonDocument> committedTombstones() {
        return tombstones().withReadConcern(ReadConcern.MAJORITY);
    }

    /** Returns the collection of declared indexes. */
    public MongoCollection<BsonDocument> indexes() {
        return database.getCollection(INDEXES, BsonDocument.class);
    }

    /** Returns the collection of the saved position in the change feed. */
    public MongoCollection<BsonDocument> changes() {
        return database.getCollection(CHANGES, BsonDocument.class);
    }

    /** Returns the database, for its change stream. */
    public MongoDatabase database() {
        return database;
    }

    /** Returns the class whose objects are in a collection. */
    public static String bucket(String collection) {
        return collection.startsWith(PREFIX) ? collection.substring(PREFIX.length()) : collection;
    }

    /** Returns the database for commands about the server itself. */
    public MongoDatabase ofServer() {
        return server;
    }

    private static String name(String bucket) {
        return bucket.startsWith(RESERVED) ? PREFIX + bucket : bucket;
    }
}
