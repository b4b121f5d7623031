package io.invalidb.query;

import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * What one document is sorted by, found once: where there are arrays or geometries in it that takes longer than many comparisons.
 * To be compared with ranks by the same order only. Immutable.
 */
public final class SortRank implements Comparable<SortRank> {

    private static final String ID = "_id";

    private final List<SortKey> keys;
    private final double distance;
    private final BsonValue[] values;
    private final BsonValue id;

    private SortRank(List<SortKey> keys, double distance, BsonValue[] values, BsonValue id) {
        this.keys = keys;
        this.distance = distance;
        this.values = values;
        this.id = id;
    }

    /** The rank by keys, if there are any, or by distance. */
    static SortRank of(BsonDocument document, List<SortKey> keys, Optional<Nearness> nearness) {
        return new SortRank(
                keys,
                nearness.isPresent() ? nearness.get().distance(document) : 0,
                values(document, keys),
                SortKey.orNull(document.get(ID)));
    }

    private static BsonValue[] values(BsonDocument document, List<SortKey> keys) {
        BsonValue[] values = new BsonValue[keys.size()];
        for (int i = 0; i < values.length; i++) {
            BsonValue sole = keys.get(i).soleValue(document);
            if (sole == null) {
                return SortTuple.of(document, keys, new Budget());
            }
            values[i] = sole;
        }
        return values;
    }

    @Override
    public int compareTo(SortRank other) {
        int byDistance = Double.compare(distance, other.distance);
        int byKeys = byDistance != 0 ? byDistance : SortTuple.compare(values, other.values, keys);
        return byKeys != 0 ? byKeys : BsonOrder.INSTANCE.compare(id, other.id);
    }
}
