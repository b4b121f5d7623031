package io.orestes.store.embedded;

import com.google.common.primitives.Bytes;
import io.invalidb.query.PathConstraint;
import io.orestes.store.IndexKeys;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** One path of an index and the bytes it contributes to entries; a descending one has all its bits inverted. */
final class IndexComponent {

    private final FieldPath path;
    private final boolean ascending;

    IndexComponent(IndexKeys.Key key) {
        path = new FieldPath(key.path());
        ascending = key.ascending();
    }

    /** What each value of a document at this path contributes, without doubles. */
    Set<byte[]> of(BsonDocument document) {
        Set<byte[]> parts = new TreeSet<>(Arrays::compareUnsigned);
        path.valuesIn(document).forEach(value -> parts.add(of(value)));
        return parts;
    }

    /** What one value contributes. */
    byte[] of(BsonValue value) {
        return directed(ValueEncoding.encode(value));
    }

    /** The entries that start with {@code prefix} and have a value within the bounds here. */
    KeyRange within(byte[] prefix, PathConstraint.Range bounds) {
        byte[] bracket = {bracket(bounds)};
        byte[] lowest = directed(bounds.lower().map(ValueEncoding::encode).orElse(bracket));
        byte[] highest = directed(bounds.upper().map(ValueEncoding::encode).orElse(bracket));
        byte[] first = Bytes.concat(prefix, ascending ? lowest : highest);
        byte[] last = Bytes.concat(prefix, ascending ? highest : lowest);
        return new KeyRange(first, KeyRange.afterPrefix(last));
    }

    private static byte bracket(PathConstraint.Range bounds) {
        Optional<BsonValue> bound = bounds.lower().or(bounds::upper);
        return (byte) ValueEncoding.bracket(bound.orElseThrow());
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
