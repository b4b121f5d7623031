package io.orestes.store.embedded.index;

import com.google.common.primitives.Bytes;
import io.invalidb.query.filter.PathConstraint;
import io.invalidb.query.text.IndexWordExtractor;
import io.orestes.store.IndexSpec;
import io.orestes.store.MultikeyPath;
import io.orestes.store.embedded.database.KeyRange;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * One component of an index key: a field path and the encoding of its values, inverted if
 * descending.
 */
public final class IndexComponent {

    private final MultikeyPath path;
    private final IndexSpec.IndexKind kind;
    private final boolean ascending;

    public IndexComponent(IndexSpec.IndexedField key) {
        path = new MultikeyPath(key.path());
        kind = key.kind();
        ascending = kind != IndexSpec.IndexKind.DESCENDING;
    }

    /**
     * Returns the encoded values of a document at this path, without duplicates; an empty set for a
     * text index on a document without words.
     *
     * @throws io.invalidb.query.BudgetExceededException if that takes too long to find
     */
    Set<byte[]> of(BsonDocument document) {
        return switch (kind) {
            case ASCENDING, DESCENDING -> parts(path.valuesIn(document));
            case GEO -> ZOrderCurve.of(path.valuesIn(document));
            case TEXT ->
                parts(IndexWordExtractor.of(document).stream()
                        .map(BsonString::new)
                        .toList());
        };
    }

    private Set<byte[]> parts(List<? extends BsonValue> values) {
        Set<byte[]> parts = new TreeSet<>(Arrays::compareUnsigned);
        values.forEach(value -> parts.add(of(value)));
        return parts;
    }

    /**
     * Returns the encoding of the only value of a document at this path, whatever the direction.
     */
    public byte[] soleOf(BsonDocument document) {
        return ValueEncoding.encode(path.valuesIn(document).get(0));
    }

    /**
     * True if a document has a value here whose encoding equals that of other values, although the
     * encoding looks exact.
     */
    boolean isAmbiguous(BsonDocument document) {
        return (kind == IndexSpec.IndexKind.ASCENDING || kind == IndexSpec.IndexKind.DESCENDING)
                && path.valuesIn(document).stream().anyMatch(BsonValue::isDecimal128);
    }

    /** Returns the encoding of one value. */
    public byte[] of(BsonValue value) {
        return directed(ValueEncoding.encode(value));
    }

    /**
     * Returns the entries that start with {@code prefix} and have a value within the bounds here.
     */
    public KeyRange within(byte[] prefix, PathConstraint.Range bounds) {
        byte[] bracket = {(byte) ValueEncoding.bracket(bounds.bound())};
        byte[] lowest = directed(bounds.lower() == null ? bracket : ValueEncoding.encode(bounds.lower()));
        byte[] highest = directed(bounds.upper() == null ? bracket : ValueEncoding.encode(bounds.upper()));
        byte[] first = Bytes.concat(prefix, ascending ? lowest : highest);
        byte[] last = Bytes.concat(prefix, ascending ? highest : lowest);
        return new KeyRange(first, KeyRange.afterPrefix(last));
    }

    private byte[] directed(byte[] encoding) {
        if (!ascending) {
            for (int i = 0; i < encoding.length; i++) {
                encoding[i] = (byte) ~encoding[i];
            }
        }
        return encoding;
    }
}
