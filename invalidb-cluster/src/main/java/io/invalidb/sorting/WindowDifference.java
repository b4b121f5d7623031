package io.invalidb.sorting;

import io.invalidb.model.MatchType;
import io.invalidb.model.WriteEvent.Upsert;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The steps from one content of a window to another one, with more than one write between them.
 * Objects with an unchanged state keep their relative order, so only changed ones are moved. Single
 * use.
 */
final class WindowDifference {

    private final List<Upsert> target;
    private final List<Upsert> source;
    private final Map<String, Integer> ranks = new HashMap<>();
    private final List<Integer> list = new ArrayList<>();
    private final Set<Integer> unplaced = new HashSet<>();
    private final List<WindowEvent> events = new ArrayList<>();

    WindowDifference(List<Upsert> source, List<Upsert> target) {
        this.source = source;
        this.target = target;
        for (int rank = 0; rank < target.size(); rank++) {
            ranks.put(target.get(rank).id(), rank);
        }
    }

    List<WindowEvent> events() {
        source.forEach(this::keepOrRemove);
        List.copyOf(unplaced).stream().sorted().forEach(this::place);
        for (int rank = 0; rank < target.size(); rank++) {
            addIfMissing(rank);
        }
        return events;
    }

    private void keepOrRemove(Upsert object) {
        Integer rank = ranks.get(object.id());
        if (rank == null) {
            events.add(WindowEvent.removed(SortedWindow.asUnwritten(object)));
            return;
        }
        list.add(rank);
        if (!target.get(rank).stamp().equals(object.stamp())) {
            unplaced.add(rank);
        }
    }

    /** Moves a changed object between its neighbours, unless it is between them already. */
    private void place(Integer rank) {
        int from = list.indexOf(rank);
        list.remove(from);
        int to = Math.min(Math.max(from, behindSmaller(rank)), beforeLarger(rank));
        list.add(to, rank);
        unplaced.remove(rank);
        emit(to, from == to ? MatchType.CHANGE : MatchType.CHANGE_INDEX, rank);
    }

    private int behindSmaller(int rank) {
        int place = list.size();
        while (place > 0 && (unplaced.contains(list.get(place - 1)) || list.get(place - 1) > rank)) {
            place--;
        }
        return place;
    }

    private int beforeLarger(int rank) {
        int place = 0;
        while (place < list.size() && (unplaced.contains(list.get(place)) || list.get(place) < rank)) {
            place++;
        }
        return place;
    }

    private void addIfMissing(int rank) {
        if (rank >= list.size() || list.get(rank) != rank) {
            list.add(rank, rank);
            emit(rank, MatchType.ADD, rank);
        }
    }

    private void emit(int index, MatchType type, int rank) {
        events.add(WindowEvent.at(index, type, SortedWindow.asUnwritten(target.get(rank))));
    }
}
