package io.invalidb.query.sort;

import io.invalidb.query.StepBudget;
import io.invalidb.query.value.BsonOrder;
import io.invalidb.query.value.StepCost;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * The sort key of one document, extracted once and compared only with keys of the same order. The
 * extraction from arrays or geometries takes longer than many comparisons. Immutable.
 */
public final class DocumentSortKey implements Comparable<DocumentSortKey> {

    private static final String ID = "_id";

    private final List<SortField> keys;
    private final double distance;
    private final BsonValue[] values;
    private final BsonValue id;
    private final long weight;

    private DocumentSortKey(List<SortField> keys, double distance, BsonValue[] values, BsonValue id, long weight) {
        this.keys = keys;
        this.distance = distance;
        this.values = values;
        this.id = id;
        this.weight = weight;
    }

    /**
     * Creates the key: by the sort fields, if there are any, or by distance.
     *
     * @param distance distance of the document, 0 in orders without a proximity
     */
    static DocumentSortKey of(BsonDocument document, List<SortField> keys, double distance, StepBudget stepBudget) {
        BsonValue[] values = values(document, keys, stepBudget);
        BsonValue id = SortField.orNull(document.get(ID));
        return new DocumentSortKey(keys, distance, values, id, comparisonCost(values, id, stepBudget));
    }

    private static BsonValue[] values(BsonDocument document, List<SortField> keys, StepBudget stepBudget) {
        BsonValue[] values = new BsonValue[keys.size()];
        for (int i = 0; i < values.length; i++) {
            stepBudget.spend(keys.get(i).path().length());
            BsonValue sole = keys.get(i).soleValue(document);
            if (sole == null) {
                return SortKeyGenerator.of(document, keys, stepBudget);
            }
            values[i] = sole;
        }
        return values;
    }

    private static long comparisonCost(BsonValue[] values, BsonValue id, StepBudget stepBudget) {
        long before = stepBudget.spent();
        StepCost.spend(id, stepBudget);
        for (BsonValue value : values) {
            StepCost.spend(value, stepBudget);
        }
        return stepBudget.spent() - before;
    }

    /** Returns the maximum cost to compare it to another one, in steps of a {@link StepBudget}. */
    public long comparisonCost() {
        return weight;
    }

    @Override
    public int compareTo(DocumentSortKey other) {
        int byDistance = Double.compare(distance, other.distance);
        int byKeys = byDistance != 0 ? byDistance : SortKeyGenerator.compare(values, other.values, keys);
        return byKeys != 0 ? byKeys : BsonOrder.INSTANCE.compare(id, other.id);
    }
}
