package io.orestes.store.embedded.index;

import com.google.common.primitives.Bytes;
import com.google.common.primitives.Ints;
import io.orestes.store.IndexSpec;
import io.orestes.store.embedded.codec.StoredDocumentCodec;
import io.orestes.store.embedded.database.ColumnFamily;
import io.orestes.store.embedded.database.KeyRange;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The definition of a declared index in the embedded store, with its number and readiness.
 *
 * @param number prefix of its entries; at least 1, growing with every declaration
 * @param bucket bucket of the indexed objects
 * @param spec specification of the index
 * @param isReady whether it has entries for all objects, so that queries may use it
 */
public record EmbeddedIndexDefinition(int number, String bucket, IndexSpec spec, boolean isReady) {

    private static final byte[] KEY_PREFIX = "index/".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] FILLED_PREFIX = "filled/".getBytes(StandardCharsets.US_ASCII);

    /** Returns the range of all definitions in {@link ColumnFamily#META}. */
    static KeyRange allKeys() {
        return KeyRange.prefix(KEY_PREFIX);
    }

    /** Returns the key of this definition. */
    byte[] key() {
        return Bytes.concat(KEY_PREFIX, Ints.toByteArray(number));
    }

    /** Returns the key of the progress while the index is being filled. */
    byte[] filledKey() {
        return Bytes.concat(FILLED_PREFIX, Ints.toByteArray(number));
    }

    /** Returns the range of all entries of this index. */
    KeyRange entries() {
        return KeyRange.prefix(Ints.toByteArray(number));
    }

    EmbeddedIndexDefinition asReady() {
        return new EmbeddedIndexDefinition(number, bucket, spec, true);
    }

    /** True if it indexes the places at this path. */
    public boolean hasGeoField(String path) {
        return spec.keys().contains(new IndexSpec.IndexedField(path, IndexSpec.IndexKind.GEO));
    }

    /** Returns the index with other paths. */
    public EmbeddedIndexDefinition withPaths(UnaryOperator<String> paths) {
        List<IndexSpec.IndexedField> moved = spec.keys().stream()
                .map(key -> new IndexSpec.IndexedField(paths.apply(key.path()), key.kind()))
                .toList();
        return new EmbeddedIndexDefinition(number, bucket, new IndexSpec(moved, spec.unique()), isReady);
    }

    byte[] encode() {
        BsonArray parts = new BsonArray();
        spec.keys().forEach(part -> parts.add(encode(part)));
        BsonDocument document = new BsonDocument("number", new BsonInt32(number))
                .append("bucket", new BsonString(bucket))
                .append("keys", parts)
                .append("ready", BsonBoolean.valueOf(isReady));
        if (spec.unique()) {
            document.append("unique", BsonBoolean.TRUE);
        }
        return StoredDocumentCodec.encode(document);
    }

    static EmbeddedIndexDefinition decode(byte[] encoded) {
        BsonDocument document = StoredDocumentCodec.decode(encoded);
        return new EmbeddedIndexDefinition(
                document.getInt32("number").getValue(),
                document.getString("bucket").getValue(),
                new IndexSpec(
                        document.getArray("keys").stream()
                                .map(EmbeddedIndexDefinition::decodeKey)
                                .toList(),
                        document.getBoolean("unique", BsonBoolean.FALSE).getValue()),
                document.getBoolean("ready").getValue());
    }

    private static BsonDocument encode(IndexSpec.IndexedField key) {
        BsonDocument document = new BsonDocument("path", new BsonString(key.path()));
        return key.isOrdered()
                ? document.append("ascending", BsonBoolean.valueOf(key.kind() == IndexSpec.IndexKind.ASCENDING))
                : document.append("kind", new BsonString(key.kind().name()));
    }

    private static IndexSpec.IndexedField decodeKey(BsonValue value) {
        BsonDocument key = value.asDocument();
        String path = key.getString("path").getValue();
        return key.containsKey("kind")
                ? new IndexSpec.IndexedField(
                        path, IndexSpec.IndexKind.valueOf(key.getString("kind").getValue()))
                : new IndexSpec.IndexedField(path, key.getBoolean("ascending").getValue());
    }
}
