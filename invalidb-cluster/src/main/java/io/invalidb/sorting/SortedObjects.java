package io.invalidb.sorting;

import io.invalidb.model.WriteEvent.Upsert;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.StepBudget;
import io.invalidb.query.sort.DocumentSortKey;
import io.invalidb.query.sort.SortOrder;
import io.invalidb.query.value.HeapSize;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A sorted list of objects, searchable by position and by id. Single-threaded. */
final class SortedObjects {

    private final List<RankedObject> sorted = new ArrayList<>();
    private final Map<String, RankedObject> byId = new HashMap<>();
    private long bytes;

    private record RankedObject(Upsert object, DocumentSortKey rank, long bytes) {
        RankedObject(Upsert object, DocumentSortKey rank) {
            this(object, rank, HeapSize.of(object.afterImage()));
        }
    }

    /**
     * Sorts objects.
     *
     * @param objects in any order, each id once
     * @param periodicStepBudget budget for the sort keys and the comparisons
     */
    SortedObjects(SortOrder order, Collection<Upsert> objects, PeriodicStepBudget periodicStepBudget) {
        int comparisons = comparisons(objects.size());
        objects.forEach(object -> sorted.add(periodicStepBudget.run(
                stepBudget -> new RankedObject(object, rank(order, object, comparisons, stepBudget)))));
        sorted.sort(Comparator.comparing(RankedObject::rank));
        sorted.forEach(this::registerById);
    }

    private static DocumentSortKey rank(SortOrder order, Upsert object, int comparisons, StepBudget stepBudget) {
        DocumentSortKey rank = order.sortKey(object.afterImage(), stepBudget);
        stepBudget.spend(rank.comparisonCost() * comparisons);
        return rank;
    }

    /** Returns the number of comparisons to find a position among {@code size} objects. */
    private static int comparisons(int size) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(size);
    }

    private void registerById(RankedObject added) {
        byId.put(added.object.id(), added);
        bytes += added.bytes;
    }

    int size() {
        return sorted.size();
    }

    /** Returns the estimated heap in bytes of the objects. */
    long bytes() {
        return bytes;
    }

    Optional<Upsert> find(String id) {
        return Optional.ofNullable(byId.get(id)).map(RankedObject::object);
    }

    Upsert at(int position) {
        return sorted.get(position).object;
    }

    /** Returns the sort key of the last object. */
    DocumentSortKey lastRank() {
        return sorted.get(size() - 1).rank;
    }

    /**
     * Returns the objects from one position, inclusive, to another one, exclusive, as far as they
     * exist.
     */
    List<Upsert> between(int from, int to) {
        return sorted.subList(Math.min(from, size()), Math.min(to, size())).stream()
                .map(RankedObject::object)
                .toList();
    }

    /** Inserts an object with a new id, and returns its position. */
    int insert(Upsert object, DocumentSortKey rank, StepBudget stepBudget) {
        RankedObject inserted = new RankedObject(object, rank);
        int position = -1 - search(rank, stepBudget);
        sorted.add(position, inserted);
        registerById(inserted);
        return position;
    }

    /** Removes the object with this id, which must exist, and returns its position. */
    int remove(String id, StepBudget stepBudget) {
        RankedObject removed = Objects.requireNonNull(byId.remove(id));
        bytes -= removed.bytes;
        int position = search(removed.rank, stepBudget);
        sorted.remove(position);
        return position;
    }

    Upsert removeLast() {
        RankedObject last = sorted.remove(size() - 1);
        byId.remove(last.object.id());
        bytes -= last.bytes;
        return last.object;
    }

    private int search(DocumentSortKey rank, StepBudget stepBudget) {
        stepBudget.spend(rank.comparisonCost() * comparisons(size()));
        int low = 0;
        int high = size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int comparison = sorted.get(middle).rank.compareTo(rank);
            if (comparison == 0) {
                return middle;
            }
            low = comparison < 0 ? middle + 1 : low;
            high = comparison < 0 ? high : middle - 1;
        }
        return -1 - low;
    }
}
