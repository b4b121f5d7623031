package io.orestes.store.embedded.index;

import com.google.common.hash.HashCode;
import com.google.common.primitives.Bytes;
import com.google.common.primitives.Ints;
import io.orestes.model.ApiException;
import io.orestes.model.StoredObject;
import io.orestes.store.UniqueKeyHashes;
import io.orestes.store.embedded.database.ColumnFamily;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The entry of one key in a unique index, which at most one object can own. On disk it is the
 * number of the index, the byte 3 (where other entries have 0 to 2) and the hash of the key.
 */
record UniqueKeyEntry(EmbeddedIndexDefinition index, HashCode keyHash) {

    private static final byte[] MARK = {3};

    /**
     * Returns the keys of an object; none if there is no object or one of the paths leads to no
     * value.
     */
    static Set<UniqueKeyEntry> of(EmbeddedIndexDefinition index, @Nullable StoredObject object) {
        return object == null
                ? Set.of()
                : UniqueKeyHashes.of(index.spec(), object.document()).stream()
                        .map(place -> new UniqueKeyEntry(index, place))
                        .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the key in {@link ColumnFamily#INDEXES}. */
    byte[] key() {
        return Bytes.concat(Ints.toByteArray(index.number()), MARK, keyHash.asBytes());
    }

    /** Returns the exception for an object that claims a key of another one. */
    ApiException violatedBy(String id) {
        return UniqueKeyHashes.violation(index.spec(), id);
    }
}
