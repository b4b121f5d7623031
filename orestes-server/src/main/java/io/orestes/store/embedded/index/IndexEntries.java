package io.orestes.store.embedded.index;

import com.google.common.primitives.Bytes;
import com.google.common.primitives.Ints;
import com.google.common.primitives.Shorts;
import io.invalidb.query.BudgetExceededException;
import io.orestes.model.StoredObject;
import io.orestes.store.IndexSpec;
import io.orestes.store.embedded.codec.StoredDocumentCodec;
import io.orestes.store.embedded.database.ColumnFamily;
import io.orestes.store.embedded.database.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one object in one index: one for every combination of values at the paths of the
 * index. An entry consists of the number of the index, a mark for one or several entries of the
 * object, the encoded values, the object's id and the length of that id (4, 1, n, m and 2 bytes);
 * it has no value.
 *
 * <p>Objects with one entry are stored apart from those with several. A query meets them once, and
 * they are in the order of their values. Two bounds on one path are bounds on one value there,
 * while different elements of an array may satisfy them. Objects with decimal numbers, which are
 * encoded like the nearest double, are stored with those with several entries.
 */
public final class IndexEntries {

    /** Mark before the values of an object with one entry. */
    public static final byte SINGLE_ENTRY = 1;

    /** Mark before the values of an object with several entries. */
    public static final byte MULTI_ENTRY = 2;

    /** Mark that replaces the values of an object with too many of them. */
    private static final byte[] OVERFLOW = {0};

    private static final int MAX_ENTRIES = 1_000;

    /** Maximum number of entries for the words of a long text. */
    private static final int MAX_WORDS = 10_000;

    private IndexEntries() {}

    /** Returns the keys of the entries of an object; none if there is no object. */
    static Set<byte[]> of(EmbeddedIndexDefinition index, @Nullable StoredObject object) {
        return object == null ? new TreeSet<>(Arrays::compareUnsigned) : keys(index, object.document());
    }

    /** Returns the key of an entry's object in {@link ColumnFamily#OBJECTS}. */
    public static byte[] objectKey(byte[] entry) {
        int end = entry.length - Short.BYTES;
        int length = Short.toUnsignedInt(Shorts.fromBytes(entry[end], entry[end + 1]));
        return Arrays.copyOfRange(entry, end - length, end);
    }

    /**
     * Returns the entries of objects with too many values for this index; every query has to read
     * them.
     */
    public static KeyRange overflow(EmbeddedIndexDefinition index) {
        return KeyRange.prefix(Bytes.concat(Ints.toByteArray(index.number()), OVERFLOW));
    }

    private static Set<byte[]> keys(EmbeddedIndexDefinition index, BsonDocument document) {
        byte[] number = Ints.toByteArray(index.number());
        Optional<List<byte[]>> values = values(index.spec(), document);
        return values.map(few -> complete(Bytes.concat(number, kind(index.spec(), few, document)), few, document))
                .orElseGet(() -> complete(Bytes.concat(number, OVERFLOW), List.of(new byte[0]), document));
    }

    private static byte[] kind(IndexSpec keys, List<byte[]> values, BsonDocument document) {
        boolean isSole = values.size() == 1
                && keys.keys().stream().noneMatch(key -> new IndexComponent(key).isAmbiguous(document));
        return new byte[] {isSole ? SINGLE_ENTRY : MULTI_ENTRY};
    }

    /**
     * Returns the encoded combinations of values; empty if there are too many, or if they take too
     * long to find.
     */
    private static Optional<List<byte[]>> values(IndexSpec keys, BsonDocument document) {
        int most = keys.equals(IndexSpec.TEXT) ? MAX_WORDS : MAX_ENTRIES;
        List<byte[]> values = List.of(new byte[0]);
        try {
            for (IndexSpec.IndexedField key : keys.keys()) {
                Set<byte[]> parts = new IndexComponent(key).of(document);
                if ((long) values.size() * parts.size() > most) {
                    return Optional.empty();
                }
                values = joined(values, parts);
            }
        } catch (BudgetExceededException e) {
            return Optional.empty();
        }
        return Optional.of(values);
    }

    private static List<byte[]> joined(List<byte[]> prefixes, Set<byte[]> parts) {
        List<byte[]> joined = new ArrayList<>(prefixes.size() * parts.size());
        for (byte[] prefix : prefixes) {
            parts.forEach(part -> joined.add(Bytes.concat(prefix, part)));
        }
        return joined;
    }

    private static Set<byte[]> complete(byte[] prefix, List<byte[]> values, BsonDocument document) {
        byte[] id = StoredDocumentCodec.key(document.getString(StoredObject.ID).getValue());
        byte[] length = Shorts.toByteArray((short) id.length);
        Set<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
        values.forEach(value -> keys.add(Bytes.concat(prefix, value, id, length)));
        return keys;
    }
}
