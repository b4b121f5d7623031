package io.orestes.store.mongo;

import io.orestes.store.IndexKeys;
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
 * A declared index.
 *
 * @param number what tells it from all others, also those of the past; grows with every declaration
 * @param bucket whose objects it indexes
 * @param keys what it orders them by
 * @param isReduced whether MongoDB has only the first of these paths in it, because two lead through arrays of one object
 * @param isReady whether all objects are in it, so that queries may use it
 */
record IndexDefinition(ObjectId number, String bucket, IndexKeys keys, boolean isReduced, boolean isReady) {

    private static final String ID = "_id";

    IndexDefinition ready() {
        return new IndexDefinition(number, bucket, keys, isReduced, true);
    }

    /** The same with the first path only. */
    IndexDefinition reduced() {
        return new IndexDefinition(number, bucket, keys, true, isReady);
    }

    /** The same index on other paths. */
    IndexDefinition moved(UnaryOperator<String> paths) {
        List<IndexKeys.Key> moved = keys.keys().stream()
                .map(key -> new IndexKeys.Key(paths.apply(key.path()), key.kind()))
                .toList();
        return new IndexDefinition(number, bucket, new IndexKeys(moved, keys.unique()), isReduced, isReady);
    }

    /** Whether two of its paths may lead through arrays of one object. */
    boolean mayBeReduced() {
        return keys.keys().size() > 1 && !isReduced;
    }

    /** Whether it is for {@code $text}. */
    boolean isOfWords() {
        return keys.equals(IndexKeys.TEXT);
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
        return Buckets.WORDS + "." + number.toHexString();
    }

    /**
     * The index as MongoDB has it. Ids come last where they may: results are ordered by them in the end, and MongoDB sorts all of
     * what it found before it hands out a page, unless the index has the whole order.
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
                        && (key.kind() == IndexKeys.Kind.ASCENDING || key.kind() == IndexKeys.Kind.DESCENDING));
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
        return isOfWords() ? encoded.append(OldTextIndexes.REPLACED, BsonBoolean.TRUE) : encoded;
    }

    static IndexDefinition decode(BsonDocument document) {
        List<IndexKeys.Key> keys = document.getArray("keys").stream()
                .map(BsonValue::asDocument)
                .map(key -> new IndexKeys.Key(
                        key.getString("path").getValue(),
                        IndexKeys.Kind.valueOf(key.getString("kind").getValue())))
                .toList();
        return new IndexDefinition(
                document.getObjectId(ID).getValue(),
                document.getString("bucket").getValue(),
                new IndexKeys(keys, document.getBoolean("unique").getValue()),
                document.getBoolean("reduced").getValue(),
                document.getBoolean("ready").getValue());
    }

    private static BsonValue kind(IndexKeys.Key key) {
        return switch (key.kind()) {
            case ASCENDING, TEXT -> new BsonInt32(1);
            case DESCENDING -> new BsonInt32(-1);
            case GEO -> new BsonString("2dsphere");
        };
    }
}
