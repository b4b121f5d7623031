package io.orestes.store.mongo;

import io.orestes.store.IndexSpec;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/**
 * The definition of a declared index in MongoDB, with its number, reduction and readiness.
 *
 * @param number what tells it from all others, also those of the past; grows with every declaration
 * @param bucket whose objects it indexes
 * @param keys what it orders them by
 * @param isReduced whether MongoDB has only the first of these paths in it, because two lead
 *     through arrays of one object
 * @param isReady whether all objects are in it, so that queries may use it
 */
record MongoIndexDefinition(ObjectId number, String bucket, IndexSpec keys, boolean isReduced, boolean isReady) {

    private static final String ID = "_id";

    MongoIndexDefinition ready() {
        return new MongoIndexDefinition(number, bucket, keys, isReduced, true);
    }

    /** The same with the first path only. */
    MongoIndexDefinition reduced() {
        return new MongoIndexDefinition(number, bucket, keys, true, isReady);
    }

    /** The same index on other paths. */
    MongoIndexDefinition moved(UnaryOperator<String> paths) {
        List<IndexSpec.IndexedField> moved = keys.keys().stream()
                .map(key -> new IndexSpec.IndexedField(paths.apply(key.path()), key.kind()))
                .toList();
        return new MongoIndexDefinition(number, bucket, new IndexSpec(moved, keys.unique()), isReduced, isReady);
    }

    /** Whether two of its paths may lead through arrays of one object. */
    boolean mayBeReduced() {
        return keys.keys().size() > 1 && !isReduced;
    }

    /** Whether it is for {@code $text}. */
    boolean isOfWords() {
        return keys.equals(IndexSpec.TEXT);
    }

    /** Whether objects hold something for its sake, and MongoDB has that in its own index. */
    boolean isHeld() {
        return keys.unique() || isOfWords();
    }

    /** Whether a place that an object holds is one in this index. */
    boolean owns(BsonValue place) {
        byte[] prefix = number.toByteArray();
        return place.isBinary()
                && Arrays.equals(prefix, Arrays.copyOf(place.asBinary().getData(), prefix.length));
    }

    /** Where objects hold their words for it; other words than those for an index of the past. */
    String wordsPath() {
        return MongoCollections.WORDS + "." + number.toHexString();
    }

    /**
     * The index as MongoDB has it. Ids come last where they may: results are ordered by them in the
     * end, and MongoDB sorts all of what it found before it hands out a page, unless the index has
     * the whole order.
     */
    BsonDocument pattern() {
        BsonDocument pattern = new BsonDocument();
        keys.keys().stream()
                .limit(isReduced ? 1 : Long.MAX_VALUE)
                .forEach(key -> pattern.append(isOfWords() ? wordsPath() : key.path(), kind(key)));
        return isOfOrder() ? pattern.append(ID, new BsonInt32(1)) : pattern;
    }

    private boolean isOfOrder() {
        return keys.keys().stream()
                .allMatch(key -> !key.path().equals(ID)
                        && (key.kind() == IndexSpec.IndexKind.ASCENDING
                                || key.kind() == IndexSpec.IndexKind.DESCENDING));
    }

    /** Whether there is nothing to be done for it: MongoDB has an index of ids anyway. */
    boolean isOfIds() {
        return keys.keys().get(0).path().equals(ID);
    }

    BsonDocument encoded() {
        BsonArray parts = new BsonArray();
        keys.keys()
                .forEach(key -> parts.add(new BsonDocument("path", new BsonString(key.path()))
                        .append("kind", new BsonString(key.kind().name()))));
        BsonDocument encoded = new BsonDocument(ID, new BsonObjectId(number))
                .append("bucket", new BsonString(bucket))
                .append("keys", parts)
                .append("unique", BsonBoolean.valueOf(keys.unique()))
                .append("reduced", BsonBoolean.valueOf(isReduced))
                .append("ready", BsonBoolean.valueOf(isReady));
        return isOfWords() ? encoded.append(LegacyTextIndexes.REPLACED, BsonBoolean.TRUE) : encoded;
    }

    static MongoIndexDefinition decode(BsonDocument document) {
        List<IndexSpec.IndexedField> keys = document.getArray("keys").stream()
                .map(BsonValue::asDocument)
                .map(key -> new IndexSpec.IndexedField(
                        key.getString("path").getValue(),
                        IndexSpec.IndexKind.valueOf(key.getString("kind").getValue())))
                .toList();
        return new MongoIndexDefinition(
                document.getObjectId(ID).getValue(),
                document.getString("bucket").getValue(),
                new IndexSpec(keys, document.getBoolean("unique").getValue()),
                document.getBoolean("reduced").getValue(),
                document.getBoolean("ready").getValue());
    }

    private static BsonValue kind(IndexSpec.IndexedField key) {
        return switch (key.kind()) {
            case ASCENDING, TEXT -> new BsonInt32(1);
            case DESCENDING -> new BsonInt32(-1);
            case GEO -> new BsonString("2dsphere");
        };
    }
}
