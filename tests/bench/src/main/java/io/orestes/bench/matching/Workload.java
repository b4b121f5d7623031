package io.orestes.bench.matching;

import io.invalidb.matching.QuerySpec;
import io.invalidb.query.filter.Filter;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * Queries and documents to match: five texts of ten characters, five integers (InvaliDB, VLDB 2020,
 * section 6.1). Equal numbers always give equal queries and documents.
 */
interface Workload {

    String BUCKET = "Test";

    /** Number of different documents; more would only take up memory. */
    int DOCUMENTS = 60_000;

    /** Returns the filter of a query, in MongoDB's language. */
    BsonDocument filter(int number);

    /** Returns an equivalent filter in Java for exactly these documents. */
    Predicate<BsonDocument> compiled(int number);

    /** Returns a document, without its id. */
    BsonDocument document(int number, SplittableRandom random);

    default QuerySpec query(int number) {
        return new QuerySpec("q" + number, BUCKET, Filter.parse(filter(number)));
    }

    default List<BsonDocument> documents() {
        SplittableRandom random = new SplittableRandom(1);
        List<BsonDocument> documents = new ArrayList<>(DOCUMENTS);
        for (int i = 0; i < DOCUMENTS; i++) {
            documents.add(document(i, random).append("_id", new BsonString("/db/" + BUCKET + "/" + i)));
        }
        return documents;
    }

    /** Returns five random texts and four random integers below a million. */
    static BsonDocument fields(SplittableRandom random) {
        BsonDocument document = new BsonDocument();
        for (int i = 0; i < 5; i++) {
            document.append("text" + i, new BsonString(text(random)));
        }
        for (int i = 0; i < 4; i++) {
            document.append("number" + i, new BsonInt32(random.nextInt(1_000_000)));
        }
        return document;
    }

    /** Returns ten lower-case letters. */
    static String text(SplittableRandom random) {
        StringBuilder text = new StringBuilder(10);
        for (int i = 0; i < 10; i++) {
            text.append((char) ('a' + random.nextInt(26)));
        }
        return text.toString();
    }

    /** Returns {@code {$gte: from, $lt: to}}. */
    static BsonDocument range(int from, int to) {
        return new BsonDocument("$gte", new BsonInt32(from)).append("$lt", new BsonInt32(to));
    }

    static int number(BsonDocument document, String field) {
        return document.getInt32(field).getValue();
    }

    static String text(BsonDocument document, String field) {
        return document.getString(field).getValue();
    }
}
