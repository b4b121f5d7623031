package io.invalidb.query.sort;

import io.invalidb.query.filter.FieldPath;
import io.invalidb.query.value.BsonOrder;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** One field of a sort order: a path with its direction. */
record SortField(FieldPath path, boolean ascending) {

    /**
     * Returns the value to sort by, null where there is none; empty if an array is on the path, so
     * that there may be several.
     */
    @Nullable
    BsonValue soleValue(BsonDocument document) {
        BsonDocument at = document;
        for (int depth = 0; depth < path.length() - 1; depth++) {
            BsonValue value = at.get(path.part(depth));
            if (!(value instanceof BsonDocument child)) {
                return value instanceof BsonArray ? null : BsonNull.VALUE;
            }
            at = child;
        }
        BsonValue last = at.get(path.part(path.length() - 1));
        return last instanceof BsonArray ? null : orNull(last);
    }

    static BsonValue orNull(@Nullable BsonValue value) {
        return value == null ? BsonNull.VALUE : value;
    }

    int compareValues(BsonValue one, BsonValue other) {
        int order = BsonOrder.INSTANCE.compare(one, other);
        return ascending ? order : -order;
    }
}
