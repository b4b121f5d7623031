package io.orestes.store;

import com.google.common.collect.Sets;
import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;
import io.invalidb.query.value.CanonicalValue;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.StoredObject;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.ByteBuf;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/**
 * The keys of an object in a unique index, as SHA-256 hashes of the indexed values. There is one
 * key for each combination of values at the paths of the index. The hash covers the canonical
 * spelling of the values, so values that MongoDB calls equal have one key, and all others different
 * ones.
 */
public final class UniqueKeyHashes {

    private static final int MAX_KEYS = 1_000;
    private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

    private UniqueKeyHashes() {}

    /**
     * Returns the keys of an object; none if one of the paths leads to no value. Fails with {@code
     * BAD_REQUEST} if there are too many.
     */
    public static Set<HashCode> of(IndexSpec keys, BsonDocument document) {
        List<Set<BsonValue>> values = keys.keys().stream()
                .map(key -> distinctive(key.path(), document))
                .toList();
        requireKeyLimit(values, document);
        return Sets.cartesianProduct(values).stream()
                .map(UniqueKeyHashes::hash)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the exception for an object whose key another one has already. */
    public static ApiException violation(IndexSpec keys, String id) {
        String paths = keys.keys().stream().map(IndexSpec.IndexedField::path).collect(Collectors.joining(", "));
        return new ApiException(
                ErrorCode.UNIQUE_INDEX_EXCEPTION, "Unique index violation on " + paths + " by the object " + id);
    }

    private static Set<BsonValue> distinctive(String path, BsonDocument document) {
        return new MultikeyPath(path)
                .distinctiveValuesIn(document).stream().map(CanonicalValue::of).collect(Collectors.toSet());
    }

    /** Refuses too many combinations: two long arrays would make millions of keys. */
    private static void requireKeyLimit(List<Set<BsonValue>> values, BsonDocument document) {
        long places =
                values.stream().mapToLong(Set::size).reduce(1, (one, other) -> Math.min(one * other, MAX_KEYS + 1));
        if (values.size() > 1 && places > MAX_KEYS) {
            throw new ApiException(
                    ErrorCode.BAD_REQUEST,
                    "Too many combinations of values for a unique index: "
                            + document.getString(StoredObject.ID).getValue());
        }
    }

    private static HashCode hash(List<BsonValue> values) {
        BsonDocument document = new BsonDocument("values", new BsonArray(values));
        ByteBuf encoded = new RawBsonDocument(document, CODEC).getByteBuffer();
        byte[] bytes = new byte[encoded.remaining()];
        encoded.get(bytes);
        return Hashing.sha256().hashBytes(bytes);
    }
}
