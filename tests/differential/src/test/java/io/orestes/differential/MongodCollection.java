package io.orestes.differential;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.bson.Document;

/** A collection of the genuine server. */
final class MongodCollection {

    private static final BsonDocument ONLY_IDS = new BsonDocument("_id", new BsonInt32(1));

    private final MongoCollection<BsonDocument> collection;

    /** Empties the collection; its indexes stay. */
    MongodCollection(MongoDatabase database, String name) {
        this.collection = database.getCollection(name, BsonDocument.class);
    }

    /** Replaces all documents by these. */
    void hold(List<BsonDocument> documents) {
        collection.deleteMany(new Document());
        if (!documents.isEmpty()) {
            collection.insertMany(documents);
        }
    }

    /**
     * Replaces all documents by these, see {@link #hold}; false if a text index refuses one of
     * them.
     */
    boolean stores(List<BsonDocument> documents) {
        try {
            hold(documents);
            return true;
        } catch (MongoBulkWriteException e) {
            return false;
        }
    }

    void index(List<BsonDocument> indexes) {
        indexes.forEach(collection::createIndex);
    }

    /** Returns the groups of the documents whose ids are below the bound. */
    List<BsonDocument> group(BsonDocument group, int idsBelow) {
        Document some = new Document("_id", new Document("$lt", idsBelow));
        return collection
                .aggregate(List.of(new Document("$match", some), new Document("$group", group)))
                .into(new ArrayList<>());
    }

    /** Returns the matching documents in their order. */
    Answer ask(Query query) {
        try {
            List<BsonValue> ids = new ArrayList<>();
            collection
                    .find(query.filter())
                    .sort(query.totalSort())
                    .projection(ONLY_IDS)
                    .batchSize(10_000)
                    .forEach(found -> ids.add(found.get("_id")));
            return new Answer.Ids(ids);
        } catch (MongoCommandException e) {
            return new Answer.Refused(e.getErrorCode() + ": " + e.getErrorMessage());
        }
    }
}
