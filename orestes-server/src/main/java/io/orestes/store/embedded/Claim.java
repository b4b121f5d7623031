package io.orestes.store.embedded;

import com.google.common.collect.Sets;
import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;
import com.google.common.primitives.Bytes;
import com.google.common.primitives.Ints;
import io.invalidb.query.CanonicalValue;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.StoredObject;
import io.orestes.store.IndexKeys;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * A place in a unique index that one object can hold, for one combination of values at the paths of the index. On disk it
 * is the number of the index, the byte 3 (where entries have 0 to 2) and SHA-256 of the values in their canonical
 * spelling; values that MongoDB calls equal make the same claim, all others different ones.
 */
record Claim(IndexDefinition index, HashCode values) {

    private static final byte[] MARK = {3};
    private static final int MOST_CLAIMS = 1_000;

    /** What an object claims; nothing if there is no object or one of the paths leads to no value. */
    static Set<Claim> of(IndexDefinition index, Optional<StoredObject> object) {
        return object.map(present -> of(index, present.document())).orElse(Set.of());
    }

    /** The key in {@link Family#INDEXES}. */
    byte[] key() {
        return Bytes.concat(Ints.toByteArray(index.number()), MARK, values.asBytes());
    }

    /** What is wrong when an object makes a claim that another one holds. */
    ApiException violatedBy(String id) {
        String paths = index.keys().keys().stream().map(IndexKeys.Key::path).collect(Collectors.joining(", "));
        return new ApiException(
                ErrorCode.UNIQUE_INDEX_EXCEPTION, "Unique index violation on " + paths + " by the object " + id);
    }

    private static Set<Claim> of(IndexDefinition index, BsonDocument document) {
        List<Set<BsonValue>> values = index.keys().keys().stream()
                .map(key -> distinctive(key.path(), document))
                .toList();
        requireFew(values, document);
        return Sets.cartesianProduct(values).stream()
                .map(combination -> new Claim(index, hash(combination)))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Set<BsonValue> distinctive(String path, BsonDocument document) {
        return new FieldPath(path)
                .distinctiveValuesIn(document).stream().map(CanonicalValue::of).collect(Collectors.toSet());
    }

    /** Two long arrays would make millions of claims. */
    private static void requireFew(List<Set<BsonValue>> values, BsonDocument document) {
        long claims =
                values.stream().mapToLong(Set::size).reduce(1, (one, other) -> Math.min(one * other, MOST_CLAIMS + 1));
        if (values.size() > 1 && claims > MOST_CLAIMS) {
            throw new ApiException(
                    ErrorCode.BAD_REQUEST,
                    "Too many combinations of values for a unique index: "
                            + document.getString(StoredObject.ID).getValue());
        }
    }

    private static HashCode hash(List<BsonValue> values) {
        return Hashing.sha256().hashBytes(Documents.encode(new BsonDocument("values", new BsonArray(values))));
    }
}
