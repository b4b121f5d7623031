package io.invalidb.query.filter;

import io.invalidb.query.value.BsonOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.bson.BsonValue;

/** A set of values in {@link BsonOrder}, searched in logarithmic time. Immutable. */
record SortedValues(List<BsonValue> asList) {

    /** Sorts the values and drops equal ones. */
    static SortedValues of(List<BsonValue> values) {
        List<BsonValue> sorted = new ArrayList<>(values);
        sorted.sort(BsonOrder.INSTANCE);
        List<BsonValue> distinct = new ArrayList<>();
        for (BsonValue value : sorted) {
            if (distinct.isEmpty() || BsonOrder.INSTANCE.compare(distinct.get(distinct.size() - 1), value) != 0) {
                distinct.add(value);
            }
        }
        return new SortedValues(List.copyOf(distinct));
    }

    boolean contains(BsonValue value) {
        return Collections.binarySearch(asList, value, BsonOrder.INSTANCE) >= 0;
    }
}
