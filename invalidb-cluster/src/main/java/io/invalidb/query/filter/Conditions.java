package io.invalidb.query.filter;

import io.invalidb.query.value.BsonOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bson.BsonDocument;

/** Factory methods that bring combinations of conditions of different spelling to equal forms. */
final class Conditions {

    static final Condition ALWAYS = new Condition.And(List.of());
    static final Condition NEVER = new Condition.Or(List.of());

    private Conditions() {}

    static Condition and(List<Condition> parts) {
        List<Condition> flat = new ArrayList<>();
        parts.forEach(part -> flat.addAll(part.conjuncts()));
        List<Condition> normal = sortedDistinct(flat);
        if (normal.contains(NEVER)) {
            return NEVER;
        }
        return normal.size() == 1 ? normal.get(0) : new Condition.And(normal);
    }

    static Condition or(List<Condition> parts) {
        List<Condition> flat = new ArrayList<>();
        parts.forEach(part -> flat.addAll(part.disjuncts()));
        List<Condition> normal = sortedDistinct(flat);
        if (normal.contains(ALWAYS)) {
            return ALWAYS;
        }
        return normal.size() == 1 ? normal.get(0) : new Condition.Or(normal);
    }

    private static List<Condition> sortedDistinct(List<Condition> parts) {
        Map<BsonDocument, Condition> byForm = new TreeMap<>(BsonOrder.INSTANCE);
        parts.forEach(part -> byForm.put(part.toBson(), part));
        return List.copyOf(byForm.values());
    }
}
