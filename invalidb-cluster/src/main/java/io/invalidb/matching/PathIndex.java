package io.invalidb.matching;

import io.invalidb.query.CellBudget;
import io.invalidb.query.EqualityKey;
import io.invalidb.query.FieldPath;
import io.invalidb.query.GeoBox;
import io.invalidb.query.GeoPosition;
import io.invalidb.query.PathConstraint;
import io.invalidb.query.StepBudget;
import io.invalidb.query.StoredGeometry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonSymbol;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** An index of candidate filters by constraints on the values at one path. Single-threaded. */
final class PathIndex {

    private final FieldPath path;
    private final CandidateMultimap<Long> equal = new CandidateMultimap<>();
    private final IntervalTreap ranges = new IntervalTreap();
    private final PrefixTrie prefixes = new PrefixTrie();
    private final GeoGridIndex areas = new GeoGridIndex();
    private final Runnable parting = this::part;
    private int crowd;

    PathIndex(String path) {
        this.path = FieldPath.parse(path);
    }

    /**
     * @param further what else a document has to satisfy to find the candidate; only with a value
     *     or a prefix
     */
    CandidateEntry enter(PathConstraint constraint, CandidateFilter candidateFilter, Optional<PathConstraint> further) {
        if (constraint instanceof PathConstraint.OneOf oneOf) {
            return enter(oneOf.anyOf(), candidateFilter, further);
        }
        if (constraint instanceof PathConstraint.Prefix prefix) {
            return prefixes.add(prefix.text(), candidateFilter, further);
        }
        return constraint instanceof PathConstraint.Area area
                ? CandidateEntry.CompositeEntry.of(area.boxes().stream()
                        .map(box -> areas.add(box, candidateFilter))
                        .toList())
                : ranges.add(Interval.of((PathConstraint.Range) constraint), candidateFilter);
    }

    private CandidateEntry enter(
            List<BsonValue> values, CandidateFilter candidateFilter, Optional<PathConstraint> further) {
        List<CandidateEntry> places = new ArrayList<>(values.size());
        values.forEach(value -> places.add(equal.add(EqualityKey.of(value), candidateFilter, further)));
        return CandidateEntry.CompositeEntry.of(places);
    }

    /**
     * The same for a candidate that is found here and nowhere else; it counts in the crowd until it
     * leaves.
     */
    CandidateEntry enterAlone(
            PathConstraint constraint, CandidateFilter candidateFilter, Optional<PathConstraint> further) {
        crowd++;
        return constraint instanceof PathConstraint.Range range
                ? ranges.add(Interval.of(range), candidateFilter, parting)
                : new CandidateEntry.NotifyingEntry(enter(constraint, candidateFilter, further), parting);
    }

    private void part() {
        crowd--;
    }

    boolean isEmpty() {
        return equal.isEmpty() && ranges.isEmpty() && prefixes.isEmpty() && areas.isEmpty();
    }

    /**
     * Hands out all candidates whose constraint the document satisfies, and perhaps others; some
     * several times. All of them, if looking for them takes longer than the allowance has left and
     * than trying each of them for nothing.
     */
    void find(BsonDocument document, Consumer<CandidateFilter> action, CellBudget cellBudget) {
        if (isEmpty()) {
            return;
        }
        Search search = new Search(action, cellBudget.begin(crowd));
        try {
            search.walk(document);
        } catch (RuntimeException | StackOverflowError e) {
            // With a document that breaks here every filter has to show whether it breaks it, too.
            forEach(action);
            return;
        } finally {
            cellBudget.end();
        }
        search.divided.forEach(candidateBag -> candidateBag.findNarrowed(document, action, cellBudget));
    }

    /** All of them. */
    void forEach(Consumer<CandidateFilter> action) {
        equal.forEach(action);
        ranges.forEach(action);
        prefixes.forEach(action);
        areas.forEach(action);
    }

    /**
     * Looks up one value after the other, but ranges only at the end: the two bounds of {@code {a:
     * {$gt: 5, $lt: 10}}} may be met by two elements of an array, both of which are in the interval
     * around all of them. Looks into each bag once, however many values lead there: an array may
     * hold the same value a hundred thousand times. Each look takes a step of the budget.
     */
    private final class Search implements Consumer<BsonValue> {
        private final Consumer<CandidateFilter> action;
        private final StepBudget stepBudget;
        private @Nullable Interval around;
        private StoredGeometry.@Nullable Bounds bounds;
        private List<GeoBox> boxes = List.of();
        private final Consumer<CandidateBag> looking = this::look;
        private @Nullable CandidateBag first;
        private Set<CandidateBag> others = Set.of();

        /** In which only some are found, by ways of their own. */
        private List<CandidateBag> divided = List.of();

        private Search(Consumer<CandidateFilter> action, StepBudget stepBudget) {
            this.action = action;
            this.stepBudget = stepBudget;
        }

        private void walk(BsonDocument document) {
            path.forEachValue(document, this, stepBudget);
            if (around != null) {
                ranges.forEachTouching(around, action);
            }
            if (!boxes.isEmpty()) {
                areas.findTouching(boxes, looking, stepBudget);
            }
        }

        @Override
        public void accept(BsonValue value) {
            if (!ranges.isEmpty()) {
                around = around == null ? Interval.of(value, value) : around.with(value);
            }
            if (!equal.isEmpty()) {
                equal.find(EqualityKey.of(value), looking);
            }
            if (!prefixes.isEmpty()) {
                lookUpText(value);
            }
            if (!areas.isEmpty()) {
                lookUpPlace(value);
            }
        }

        private void look(CandidateBag candidateBag) {
            stepBudget.spend(1);
            if (isNew(candidateBag)) {
                candidateBag.forEachWhole(action);
                if (candidateBag.isDivided()) {
                    divided = divided.isEmpty() ? new ArrayList<>() : divided;
                    divided.add(candidateBag);
                }
            }
        }

        /** Most documents lead to one bag. */
        @SuppressWarnings("ReferenceEquality")
        private boolean isNew(CandidateBag candidateBag) {
            if (first == null) {
                first = candidateBag;
                return true;
            }
            if (candidateBag == first) {
                return false;
            }
            others = others.isEmpty() ? new HashSet<>() : others;
            return others.add(candidateBag);
        }

        private void lookUpPlace(BsonValue value) {
            Optional<GeoPosition> place = GeoPosition.stored(value);
            if (place.isPresent()) {
                areas.findAround(place.get(), looking);
            } else if (value.isDocument()) {
                noteBoxes(value);
            }
        }

        private void noteBoxes(BsonValue geometry) {
            if (bounds == null) {
                bounds = new StoredGeometry.Bounds(stepBudget);
                boxes = new ArrayList<>();
            }
            boxes.addAll(bounds.of(geometry));
        }

        private void lookUpText(BsonValue value) {
            if (value instanceof BsonString text) {
                prefixes.findBeginningOf(text.getValue(), looking);
            } else if (value instanceof BsonSymbol symbol) {
                prefixes.findBeginningOf(symbol.getSymbol(), looking);
            }
        }
    }
}
