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
final class Genuine {

    private static final BsonDocument ONLY_IDS = new BsonDocument("_id", new BsonInt32(1));

    private final MongoCollection<BsonDocument> collection;

    /** The collection is emptied; its indexes stay. */
    Genuine(MongoDatabase database, String name) {
        this.collection = database.getCollection(name, BsonDocument.class);
    }

    /** Makes these the only documents. */
    void hold(List<BsonDocument> documents) {
        collection.deleteMany(new Document());
        if (!documents.isEmpty()) {
            collection.insertMany(documents);
        }
    }

    /** As {@link #hold}, but false if a text index does not take one of them. */
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

    /** What is computed of the documents whose ids are less than that. */
    List<BsonDocument> group(BsonDocument group, int idsBelow) {
        Document some = new Document("_id", new Document("$lt", idsBelow));
        return collection
                .aggregate(List.of(new Document("$match", some), new Document("$group", group)))
                .into(new ArrayList<>());
    }

    /** Which documents match and in which order. */
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
