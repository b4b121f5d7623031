package io.orestes.store.mongo.index;

import io.orestes.store.IndexSpec;
import io.orestes.store.mongo.document.MongoCollections;
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
 * @param number unique number, also among dropped indexes; grows with every declaration
 * @param bucket bucket of the indexed objects
 * @param spec specification of the index
 * @param isReduced whether MongoDB has only the first of these paths in it, because two lead
 *     through arrays of one object
 * @param isReady whether all objects are in it, so that queries may use it
 */
public record MongoIndexDefinition(ObjectId number, String bucket, IndexSpec spec, boolean isReduced, boolean isReady) {

    private static final String ID = "_id";

    MongoIndexDefinition asReady() {
        return new MongoIndexDefinition(number, bucket, spec, isReduced, true);
    }

    /** Returns the index with the first path only. */
    MongoIndexDefinition asReduced() {
        return new MongoIndexDefinition(number, bucket, spec, true, isReady);
    }

    /** Returns the index with other paths. */
    public MongoIndexDefinition withPaths(UnaryOperator<String> paths) {
        List<IndexSpec.IndexedField> moved = spec.keys().stream()
                .map(key -> new IndexSpec.IndexedField(paths.apply(key.path()), key.kind()))
                .toList();
        return new MongoIndexDefinition(number, bucket, new IndexSpec(moved, spec.unique()), isReduced, isReady);
    }

    /** True if two of its paths may lead through arrays of one object. */
    boolean mayBeReduced() {
        return spec.keys().size() > 1 && !isReduced;
    }

    /** True if it is for {@code $text}. */
    boolean isText() {
        return spec.equals(IndexSpec.TEXT);
    }

    /** True if objects contain hidden fields for it, which MongoDB has in its own index. */
    boolean hasHiddenFields() {
        return spec.unique() || isText();
    }

    /** True if a unique key of an object belongs to this index. */
    boolean owns(BsonValue key) {
        byte[] prefix = number.toByteArray();
        return key.isBinary()
                && Arrays.equals(prefix, Arrays.copyOf(key.asBinary().getData(), prefix.length));
    }

    /**
     * Returns the path of the words of objects for it; the words for a dropped index are elsewhere.
     */
    public String wordsPath() {
        return MongoCollections.WORDS + "." + number.toHexString();
    }

    /**
     * Returns the index pattern of MongoDB. Ids come last where possible, because results are
     * finally ordered by them. Without the whole order in the index, MongoDB sorts all matches
     * before it returns a page.
     */
    BsonDocument pattern() {
        BsonDocument pattern = new BsonDocument();
        spec.keys().stream()
                .limit(isReduced ? 1 : Long.MAX_VALUE)
                .forEach(key -> pattern.append(isText() ? wordsPath() : key.path(), kind(key)));
        return isOfOrder() ? pattern.append(ID, new BsonInt32(1)) : pattern;
    }

    private boolean isOfOrder() {
        return spec.keys().stream()
                .allMatch(key -> !key.path().equals(ID)
                        && (key.kind() == IndexSpec.IndexKind.ASCENDING
                                || key.kind() == IndexSpec.IndexKind.DESCENDING));
    }

    /** True if there is no work to do for it: MongoDB always has an index of ids. */
    boolean isOfIds() {
        return spec.keys().get(0).path().equals(ID);
    }

    public BsonDocument encode() {
        BsonArray parts = new BsonArray();
        spec.keys()
                .forEach(key -> parts.add(new BsonDocument("path", new BsonString(key.path()))
                        .append("kind", new BsonString(key.kind().name()))));
        return new BsonDocument(ID, new BsonObjectId(number))
                .append("bucket", new BsonString(bucket))
                .append("keys", parts)
                .append("unique", BsonBoolean.valueOf(spec.unique()))
                .append("reduced", BsonBoolean.valueOf(isReduced))
                .append("ready", BsonBoolean.valueOf(isReady));
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
