package io.invalidb.query;

import java.util.Comparator;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonType;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** One path of a sort order with its direction. Of several values at the path, the one that comes first counts. */
record SortKey(FieldPath path, boolean ascending) implements Comparator<BsonDocument> {

    /** Stands for an empty array; told from stored undefined values by identity. */
    private static final BsonValue EMPTY_ARRAY = new BsonUndefined();

    @Override
    public int compare(BsonDocument one, BsonDocument other) {
        int order = compareValues(valueOf(one), valueOf(other));
        return ascending ? order : -order;
    }

    private BsonValue valueOf(BsonDocument document) {
        return inDocument(document, 0);
    }

    private BsonValue inDocument(BsonDocument document, int depth) {
        return atField(document.get(path.part(depth)), depth);
    }

    private BsonValue atField(@Nullable BsonValue value, int depth) {
        if (value instanceof BsonArray array) {
            return inArray(array, depth);
        }
        return atScalar(value, depth);
    }

    private BsonValue atScalar(@Nullable BsonValue value, int depth) {
        if (depth == path.length() - 1) {
            return value == null ? BsonNull.VALUE : value;
        }
        return value instanceof BsonDocument child ? inDocument(child, depth + 1) : BsonNull.VALUE;
    }

    private BsonValue inArray(BsonArray array, int depth) {
        boolean last = depth == path.length() - 1;
        int position = last ? -1 : path.position(depth + 1);
        if (position >= 0) {
            return atField(position < array.size() ? array.get(position) : null, depth + 1);
        }
        if (array.isEmpty()) {
            return last ? EMPTY_ARRAY : BsonNull.VALUE;
        }
        return first(array, depth);
    }

    private BsonValue first(BsonArray array, int depth) {
        BsonValue best = atScalar(array.get(0), depth);
        for (int i = 1; i < array.size(); i++) {
            BsonValue value = atScalar(array.get(i), depth);
            int order = compareValues(value, best);
            if (ascending ? order < 0 : order > 0) {
                best = value;
            }
        }
        return best;
    }

    private static int compareValues(BsonValue one, BsonValue other) {
        if (one != EMPTY_ARRAY && other != EMPTY_ARRAY) {
            return BsonOrder.INSTANCE.compare(one, other);
        }
        return Integer.compare(rank(one), rank(other));
    }

    /** MongoDB sorts empty arrays as undefined: after MinKey, before null. */
    private static int rank(BsonValue value) {
        if (value == EMPTY_ARRAY) {
            return 1;
        }
        return value.getBsonType() == BsonType.MIN_KEY ? 0 : 2;
    }
}
