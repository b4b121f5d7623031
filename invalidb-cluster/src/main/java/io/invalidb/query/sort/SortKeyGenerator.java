package io.invalidb.query.sort;

import io.invalidb.query.StepBudget;
import io.invalidb.query.filter.FieldPath;
import io.invalidb.query.value.StepCost;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The generator of sort keys from documents with arrays, by MongoDB's rules for compound index
 * keys. MongoDB itself sorts by these rules. An array gives one tuple per element, and the first
 * tuple in order counts. Of several arrays that are not nested in each other, only the first is
 * expanded; MongoDB fails there.
 */
final class SortKeyGenerator {

    /** Sort value of an empty array: MongoDB sorts it as undefined, after MinKey, before null. */
    private static final BsonValue EMPTY_ARRAY = new BsonUndefined();

    /** Cost of an element, in steps of a {@link StepBudget}. */
    private static final long STEPS_PER_ELEMENT = 12;

    /** Cost of a key for one element, in steps. */
    private static final long STEPS_PER_KEY = 10;

    private final List<SortField> keys;
    private final StepBudget stepBudget;
    private BsonValue @Nullable [] first = null;

    private SortKeyGenerator(List<SortField> keys, StepBudget stepBudget) {
        this.keys = keys;
        this.stepBudget = stepBudget;
    }

    /** Returns the first tuple in order, one value per key; fails if the budget is used up. */
    static BsonValue[] of(BsonDocument document, List<SortField> keys, StepBudget stepBudget) {
        SortKeyGenerator tuple = new SortKeyGenerator(keys, stepBudget);
        tuple.expand(document, new Step[keys.size()], new Walk[keys.size()]);
        return tuple.first == null ? new BsonValue[0] : tuple.first;
    }

    /** The progress of a key: the next part of its path, and its value once it is found. */
    private record Step(int depth, @Nullable BsonValue value) {

        static final Step START = new Step(0, null);
    }

    /** The end of a path: its last part or an array on the path; absent values are null. */
    private record Walk(@Nullable BsonValue found, int depth, boolean fromNestedArray) {}

    private void expand(@Nullable BsonDocument document, Step[] steps, @Nullable Walk[] positions) {
        Step[] next = steps.clone();
        boolean[] expanded = new boolean[next.length];
        BsonArray array = null;
        boolean isNested = false;
        for (int i = 0; i < next.length; i++) {
            Step step = next[i] == null ? Step.START : next[i];
            if (step.value() != null) {
                continue;
            }
            Walk walk = walk(i, step.depth(), document, positions[i]);
            if (walk.found() instanceof BsonArray found && isExpanded(array, found)) {
                array = found;
                expanded[i] = true;
                isNested |= walk.fromNestedArray();
                next[i] = new Step(walk.depth(), null);
            } else {
                next[i] = new Step(walk.depth(), SortField.orNull(walk.found()));
            }
        }
        if (array == null) {
            add(next);
        } else {
            expand(array, next, expanded, isNested);
        }
    }

    /** Returns whether the array is the expanded one; another array may be equal to it. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isExpanded(@Nullable BsonArray array, BsonArray found) {
        return array == null || array == found;
    }

    private Walk walk(int key, int depth, @Nullable BsonDocument document, @Nullable Walk position) {
        FieldPath path = keys.get(key).path();
        if (document != null && document.containsKey(path.part(depth))) {
            return walk(path, document.get(path.part(depth)), depth + 1, false);
        }
        return position == null ? new Walk(null, path.length(), false) : position;
    }

    private static Walk walk(FieldPath path, @Nullable BsonValue value, int depth, boolean fromNestedArray) {
        BsonValue at = value;
        int next = depth;
        while (next < path.length() && at instanceof BsonDocument child) {
            at = child.get(path.part(next));
            next++;
        }
        boolean found = next == path.length() || at instanceof BsonArray;
        return new Walk(found ? at : null, found ? next : path.length(), fromNestedArray);
    }

    private void expand(BsonArray array, Step[] steps, boolean[] expanded, boolean isNested) {
        if (array.isEmpty()) {
            expandElement(EMPTY_ARRAY, EMPTY_ARRAY, steps, expanded, new Walk[steps.length]);
            return;
        }
        Walk[] positions = new Walk[steps.length];
        for (int i = 0; i < steps.length; i++) {
            positions[i] = expanded[i] ? atPosition(keys.get(i).path(), array, steps[i].depth()) : null;
        }
        for (BsonValue element : array) {
            expandElement(element, isNested ? array : element, steps, expanded, positions);
        }
    }

    /**
     * Returns the end of the path behind an element at a position, which is reached from every
     * element.
     */
    private static @Nullable Walk atPosition(FieldPath path, BsonArray array, int depth) {
        int position = depth < path.length() ? path.position(depth) : -1;
        if (position < 0 || position >= array.size()) {
            return null;
        }
        BsonValue element = array.get(position);
        return walk(path, element, depth + 1, element instanceof BsonArray);
    }

    private void expandElement(
            BsonValue element, BsonValue atEnd, Step[] steps, boolean[] expanded, @Nullable Walk[] positions) {
        stepBudget.spend(STEPS_PER_ELEMENT + STEPS_PER_KEY * steps.length);
        Step[] next = steps.clone();
        for (int i = 0; i < next.length; i++) {
            int length = keys.get(i).path().length();
            if (expanded[i] && next[i].depth() == length) {
                next[i] = new Step(length, atEnd);
            }
        }
        expand(element instanceof BsonDocument child ? child : null, next, positions);
    }

    private void add(Step[] steps) {
        BsonValue[] tuple =
                Arrays.stream(steps).map(step -> SortField.orNull(step.value())).toArray(BsonValue[]::new);
        if (first == null || isBefore(tuple, first)) {
            first = tuple;
        }
    }

    /**
     * Returns whether a tuple sorts before the best one. An array inside an array counts as a whole
     * for each of its elements.
     */
    @SuppressWarnings("ReferenceEquality")
    private boolean isBefore(BsonValue[] tuple, BsonValue[] best) {
        for (int i = 0; i < tuple.length; i++) {
            if (tuple[i] != best[i]) {
                StepCost.spend(tuple[i], stepBudget);
            }
        }
        return compare(tuple, best, keys) < 0;
    }

    static int compare(BsonValue[] one, BsonValue[] other, List<SortField> keys) {
        for (int i = 0; i < keys.size(); i++) {
            int byKey = keys.get(i).compareValues(one[i], other[i]);
            if (byKey != 0) {
                return byKey;
            }
        }
        return 0;
    }
}
