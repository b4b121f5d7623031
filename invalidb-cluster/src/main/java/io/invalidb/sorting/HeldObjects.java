package io.invalidb.sorting;

import io.invalidb.model.WriteEvent.Upsert;
import io.invalidb.query.SortOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Objects in order, found by place and by id. Single-threaded. */
final class HeldObjects {

    private final SortOrder order;
    private final List<Upsert> sorted;
    private final Map<String, Upsert> byId = new HashMap<>();

    /** @param objects in any order, each id once */
    HeldObjects(SortOrder order, Collection<Upsert> objects) {
        this.order = order;
        this.sorted = new ArrayList<>(objects);
        sorted.sort(this::compare);
        sorted.forEach(object -> byId.put(object.id(), object));
    }

    int size() {
        return sorted.size();
    }

    Optional<Upsert> find(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    Upsert at(int place) {
        return sorted.get(place);
    }

    /** The objects from one place, as far as there are any, to before another one. */
    List<Upsert> between(int from, int to) {
        return List.copyOf(sorted.subList(Math.min(from, size()), Math.min(to, size())));
    }

    /** Enters an object whose id is not held, and returns its place. */
    int insert(Upsert object) {
        int place = -1 - search(object);
        sorted.add(place, object);
        byId.put(object.id(), object);
        return place;
    }

    /** Takes out an object that is held, and returns where it was. */
    int remove(Upsert object) {
        int place = search(object);
        sorted.remove(place);
        byId.remove(object.id());
        return place;
    }

    Upsert removeLast() {
        Upsert last = sorted.remove(size() - 1);
        byId.remove(last.id());
        return last;
    }

    private int search(Upsert object) {
        int low = 0;
        int high = size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int comparison = compare(sorted.get(middle), object);
            if (comparison == 0) {
                return middle;
            }
            low = comparison < 0 ? middle + 1 : low;
            high = comparison < 0 ? high : middle - 1;
        }
        return -1 - low;
    }

    private int compare(Upsert one, Upsert other) {
        return order.compare(one.afterImage(), other.afterImage());
    }
}
