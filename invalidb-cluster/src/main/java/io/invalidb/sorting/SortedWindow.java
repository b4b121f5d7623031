package io.invalidb.sorting;

import io.invalidb.model.MatchEvent;
import io.invalidb.model.MatchType;
import io.invalidb.model.VersionStamp;
import io.invalidb.model.WriteEvent;
import io.invalidb.model.WriteEvent.Upsert;
import io.invalidb.model.WriteOperation;
import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.StepBudget;
import io.invalidb.query.sort.DocumentSortKey;
import io.invalidb.query.sort.SortHorizon;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The window of one sorted query, which turns changes of the unordered result into changes of the
 * window (InvaliDB, VLDB 2020, section 5.2). It stores the first objects of the result, some more
 * than the window needs (slack). It has all objects up to a position, the horizon, which never
 * moves away. Objects behind the horizon are not stored, so memory depends on the window and not on
 * the result. When the slack is used up, the query has to be executed again. Until then the window
 * may be shorter than it should be, but its content is correct.
 *
 * <p>Single-threaded. Relies on the filter stage to deliver the events of each object in order. Not
 * usable any more after one of its methods has thrown.
 */
public final class SortedWindow {

    private final WindowSpec spec;
    private final int capacity;
    private final SortedObjects sortedObjects;
    private final Map<String, VersionStamp> ignored = new HashMap<>();
    private @Nullable DocumentSortKey horizon;

    /**
     * Creates a window from the initial result.
     *
     * @param slack number of objects to store behind the window, at least 1
     * @param result its first objects, as many as {@link #capacity} returns, or all if there are
     *     fewer
     * @throws BudgetExceededException if the sort keys take too long, a second in all
     */
    public SortedWindow(WindowSpec spec, int slack, List<Upsert> result) {
        this.spec = spec;
        this.capacity = capacity(spec, slack);
        this.sortedObjects = new SortedObjects(spec.order(), result, new PeriodicStepBudget());
        this.horizon = sortedObjects.size() < capacity ? null : sortedObjects.lastRank();
    }

    /** Returns the number of objects in a window with that slack. */
    public static int capacity(WindowSpec spec, int slack) {
        return spec.end() + slack;
    }

    /** Returns the number of stored objects. */
    public int size() {
        return sortedObjects.size();
    }

    /** Returns the maximum number of stored objects beyond those that the window needs. */
    public int slack() {
        return capacity - spec.end();
    }

    /** Returns the content of the window, in order. */
    public List<Upsert> content() {
        return sortedObjects.between(spec.offset(), spec.end());
    }

    /** Returns the estimated heap in bytes of the stored objects. */
    public long bytes() {
        return sortedObjects.bytes();
    }

    /** Returns whether the window lacks a successor for the next object that leaves. */
    public boolean needsRenewal() {
        return horizon != null && spec.limit() > 0 && sortedObjects.size() <= spec.end();
    }

    /**
     * Applies a change of the unordered result.
     *
     * @param periodicStepBudget budget of the cell that found the change
     * @return the changes of the window: a removal first, then at most one other event
     * @throws BudgetExceededException if the sort key or the position of the object is too
     *     expensive to find
     */
    public List<WindowEvent> apply(MatchEvent match, PeriodicStepBudget periodicStepBudget) {
        WriteEvent write = match.write();
        Upsert known = sortedObjects.find(write.id()).orElse(null);
        return known != null && !write.stamp().isAfter(known.stamp())
                ? List.of()
                : periodicStepBudget.run(
                        stepBudget -> apply(write, known, match.type() != MatchType.REMOVE, stepBudget));
    }

    private List<WindowEvent> apply(WriteEvent write, @Nullable Upsert known, boolean matches, StepBudget stepBudget) {
        WindowPosition before =
                position(known == null ? WindowPosition.NOWHERE : sortedObjects.remove(known.id(), stepBudget));
        WindowPosition after = position(write.upsert()
                .filter(upsert -> matches)
                .map(upsert -> enter(upsert, stepBudget))
                .orElse(WindowPosition.NOWHERE));
        List<WindowEvent> events = new ArrayList<>(2);
        leaving(write, before, after).ifPresent(gone -> events.add(WindowEvent.removed(gone)));
        arriving(write, before, after).ifPresent(events::add);
        trim();
        return spec.limit() == 0 ? List.of() : events;
    }

    private int enter(Upsert object, StepBudget stepBudget) {
        DocumentSortKey rank = spec.order().sortKey(object.afterImage(), stepBudget);
        if (horizon != null && rank.compareTo(horizon) > 0) {
            ignored.put(object.id(), object.stamp());
            return WindowPosition.NOWHERE;
        }
        return sortedObjects.insert(object, rank, stepBudget);
    }

    private void trim() {
        if (sortedObjects.size() > capacity) {
            Upsert dropped = sortedObjects.removeLast();
            ignored.put(dropped.id(), dropped.stamp());
            horizon = sortedObjects.lastRank();
        }
    }

    /**
     * Returns the object that leaves, at most one: the written one, or one that it moves over an
     * edge.
     */
    private Optional<WriteEvent> leaving(WriteEvent write, WindowPosition before, WindowPosition after) {
        if (before.isInside() && !after.isInside()) {
            return Optional.of(write);
        }
        if (after.firstOther() > before.firstOther()) {
            return other(before.firstOther(), after);
        }
        return after.endOfOthers() < before.endOfOthers() ? other(after.endOfOthers(), after) : Optional.empty();
    }

    /**
     * Returns the object that enters or moves, at most one: the written one, or one that it moves
     * over an edge.
     */
    private Optional<WindowEvent> arriving(WriteEvent write, WindowPosition before, WindowPosition after) {
        if (after.isInside()) {
            return Optional.of(WindowEvent.at(after.index(), type(before, after), write));
        }
        if (after.firstOther() < before.firstOther()) {
            return other(after.firstOther(), after).map(entered -> WindowEvent.at(0, MatchType.ADD, entered));
        }
        return after.endOfOthers() > before.endOfOthers()
                ? other(before.endOfOthers(), after)
                        .map(entered -> WindowEvent.at(spec.limit() - 1, MatchType.ADD, entered))
                : Optional.empty();
    }

    private static MatchType type(WindowPosition before, WindowPosition after) {
        if (!before.isInside()) {
            return MatchType.ADD;
        }
        return before.equals(after) ? MatchType.CHANGE : MatchType.CHANGE_INDEX;
    }

    /** Returns an object other than the written one, counted without it. */
    private Optional<WriteEvent> other(int number, WindowPosition written) {
        int index = written.isBeforeOther(number) ? number + 1 : number;
        return index < sortedObjects.size() ? Optional.of(asUnwritten(sortedObjects.at(index))) : Optional.empty();
    }

    private WindowPosition position(int index) {
        return new WindowPosition(spec, index);
    }

    /** Returns the state of an object that was not written. */
    static Upsert asUnwritten(Upsert object) {
        return new Upsert(object.bucket(), object.id(), object.stamp(), WriteOperation.NONE, object.afterImage());
    }

    /**
     * Returns the steps from the content of an older window on the same query to that of this one.
     */
    public List<WindowEvent> eventsSince(SortedWindow older) {
        return new WindowDifference(older.content(), content()).events();
    }

    /**
     * Returns the horizon, behind which nothing changes this window, now or later; absent as long
     * as the window has all of the result.
     */
    public Optional<SortHorizon> horizon() {
        return Optional.ofNullable(horizon).map(last -> new SortHorizon(spec.order(), last));
    }

    /** Returns the number of objects that {@link #drainIgnored} would return. */
    public int ignoredCount() {
        return ignored.size();
    }

    /**
     * Returns and clears the states received since the last call that are not stored: the filter
     * stage may drop them.
     */
    public Map<String, VersionStamp> drainIgnored() {
        Map<String, VersionStamp> taken = Map.copyOf(ignored);
        ignored.clear();
        return taken;
    }
}
