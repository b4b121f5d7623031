package io.orestes.store.mongo.read;

import io.orestes.store.StoreQuery;
import io.orestes.store.mongo.index.DeclaredIndexCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * The shape of point queries: what those have in common that look for different values of one
 * indexed field.
 *
 * @param bucket bucket of the queries
 * @param path the field; its values are found by an index
 * @param otherConditions further conditions, as MongoDB expects them
 */
record BatchableQueryShape(String bucket, String path, BsonArray otherConditions) {

    private static final String ALL = "$and";
    private static final String EQUAL = "$eq";

    /** A point query: a shape together with the value that it looks for. */
    record PointQuery(BatchableQueryShape shape, BsonValue value) {}

    /**
     * Returns a query as a point query; empty if no field that it compares with one value is the
     * first of an index.
     */
    static Optional<PointQuery> pointQueryOf(StoreQuery query, DeclaredIndexCatalog catalog) {
        List<BsonValue> conditions = conditions(query.filter().normalForm());
        return conditions.stream()
                .map(BsonValue::asDocument)
                .filter(part ->
                        comparesWithOneValue(part) && catalog.hasOrderedIndex(query.bucket(), part.getFirstKey()))
                .findFirst()
                .map(part -> pointQuery(query.bucket(), part, conditions));
    }

    private static List<BsonValue> conditions(BsonDocument filter) {
        return filter.size() == 1 && filter.containsKey(ALL) ? filter.getArray(ALL) : List.of(filter);
    }

    private static boolean comparesWithOneValue(BsonDocument part) {
        return part.size() == 1
                && part.values().iterator().next() instanceof BsonDocument test
                && test.size() == 1
                && test.containsKey(EQUAL)
                && ScalarEqualityKey.isScalar(test.get(EQUAL).getBsonType());
    }

    private static PointQuery pointQuery(String bucket, BsonDocument compared, List<BsonValue> conditions) {
        String path = compared.getFirstKey();
        List<BsonValue> otherConditions = new ArrayList<>(conditions);
        otherConditions.remove(compared);
        BsonValue value = compared.getDocument(path).values().iterator().next();
        return new PointQuery(new BatchableQueryShape(bucket, path, new BsonArray(otherConditions)), value);
    }

    /** Returns the filter of all documents that one of the queries looks for. */
    BsonDocument filterForAnyOf(List<BsonValue> values) {
        BsonArray all = new BsonArray(new ArrayList<>(otherConditions));
        all.add(new BsonDocument(path, new BsonDocument("$in", new BsonArray(values))));
        return new BsonDocument(ALL, all);
    }

    /**
     * Returns the {@link ScalarEqualityKey#equalityHash} of a document's value at the path; empty
     * if there is none, or not one plain value.
     */
    Optional<BsonValue> equalityKeyOf(BsonDocument document) {
        // a dotted path may lead to many values, and is no name of a field
        return path.indexOf('.') < 0
                ? Optional.ofNullable(document.get(path)).flatMap(ScalarEqualityKey::equalityHash)
                : Optional.empty();
    }

    /** Returns the condition in which the queries differ. */
    BsonDocument conditionOn(BsonValue value) {
        return new BsonDocument(path, new BsonDocument(EQUAL, value));
    }
}
