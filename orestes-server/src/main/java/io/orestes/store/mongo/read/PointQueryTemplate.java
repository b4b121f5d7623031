package io.orestes.store.mongo.read;

import io.orestes.store.StoreQuery;
import io.orestes.store.mongo.index.MongoIndexCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * The common part of queries that look for different values of one indexed field.
 *
 * @param bucket bucket of the queries
 * @param path the field; its values are found by an index
 * @param rest further conditions, as MongoDB expects them
 */
record PointQueryTemplate(String bucket, String path, BsonArray rest) {

    private static final String ALL = "$and";
    private static final String EQUAL = "$eq";

    /** A point query: a template together with the value that it looks for. */
    record PointQuery(PointQueryTemplate template, BsonValue value) {}

    /**
     * Returns the template of a query; empty if no field that it compares with one value is the
     * first of an index.
     */
    static Optional<PointQuery> of(StoreQuery query, MongoIndexCatalog catalog) {
        List<BsonValue> parts = parts(query.filter().normalForm());
        return parts.stream()
                .map(BsonValue::asDocument)
                .filter(part -> isOfOneValue(part) && catalog.hasOrderedIndex(query.bucket(), part.getFirstKey()))
                .findFirst()
                .map(part -> filled(query.bucket(), part, parts));
    }

    private static List<BsonValue> parts(BsonDocument filter) {
        return filter.size() == 1 && filter.containsKey(ALL) ? filter.getArray(ALL) : List.of(filter);
    }

    private static boolean isOfOneValue(BsonDocument part) {
        return part.size() == 1
                && part.values().iterator().next() instanceof BsonDocument test
                && test.size() == 1
                && test.containsKey(EQUAL)
                && ScalarValues.arePlain(test.get(EQUAL).getBsonType());
    }

    private static PointQuery filled(String bucket, BsonDocument compared, List<BsonValue> parts) {
        String path = compared.getFirstKey();
        List<BsonValue> rest = new ArrayList<>(parts);
        rest.remove(compared);
        BsonValue value = compared.getDocument(path).values().iterator().next();
        return new PointQuery(new PointQueryTemplate(bucket, path, new BsonArray(rest)), value);
    }

    /** Returns the filter of all documents that one of the queries looks for. */
    BsonDocument withAnyOf(List<BsonValue> values) {
        BsonArray all = new BsonArray(new ArrayList<>(rest));
        all.add(new BsonDocument(path, new BsonDocument("$in", new BsonArray(values))));
        return new BsonDocument(ALL, all);
    }

    /**
     * Returns the {@link ScalarValues#key} of a document's value at the path; empty where there is
     * none, or not one plain value.
     */
    Optional<BsonValue> keyOf(BsonDocument document) {
        // a dotted path may lead to many values, and is no name of a field
        return path.indexOf('.') < 0
                ? Optional.ofNullable(document.get(path)).flatMap(ScalarValues::key)
                : Optional.empty();
    }

    /** Returns the condition in which the queries differ. */
    BsonDocument with(BsonValue value) {
        return new BsonDocument(path, new BsonDocument(EQUAL, value));
    }
}
