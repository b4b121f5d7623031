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
    private final long weight;

    private SortRank(List<SortKey> keys, double distance, BsonValue[] values, BsonValue id, long weight) {
        this.keys = keys;
        this.distance = distance;
        this.values = values;
        this.id = id;
        this.weight = weight;
    }

    /** The rank by keys, if there are any, or by distance. */
    static SortRank of(BsonDocument document, List<SortKey> keys, Optional<Nearness> nearness, Budget budget) {
        double distance = nearness.isPresent() ? nearness.get().distance(document, budget) : 0;
        BsonValue[] values = values(document, keys, budget);
        BsonValue id = SortKey.orNull(document.get(ID));
        return new SortRank(keys, distance, values, id, weight(values, id, budget));
    }

    private static BsonValue[] values(BsonDocument document, List<SortKey> keys, Budget budget) {
        BsonValue[] values = new BsonValue[keys.size()];
        for (int i = 0; i < values.length; i++) {
            budget.spend(keys.get(i).path().length());
            BsonValue sole = keys.get(i).soleValue(document);
            if (sole == null) {
                return SortTuple.of(document, keys, budget);
            }
            values[i] = sole;
        }
        return values;
    }

    private static long weight(BsonValue[] values, BsonValue id, Budget budget) {
        long before = budget.spent();
        Weight.spend(id, budget);
        for (BsonValue value : values) {
            Weight.spend(value, budget);
        }
        return budget.spent() - before;
    }

    /** What it takes at most to compare it to another one, in steps of a {@link Budget}. */
    public long weight() {
        return weight;
    }

    @Override
    public int compareTo(SortRank other) {
        int byDistance = Double.compare(distance, other.distance);
        int byKeys = byDistance != 0 ? byDistance : SortTuple.compare(values, other.values, keys);
        return byKeys != 0 ? byKeys : BsonOrder.INSTANCE.compare(id, other.id);
    }
}
