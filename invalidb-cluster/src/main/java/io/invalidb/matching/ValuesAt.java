package io.invalidb.matching;

import io.invalidb.query.Allowance;
import io.invalidb.query.Budget;
import io.invalidb.query.EqualityKey;
import io.invalidb.query.FieldPath;
import io.invalidb.query.GeoBox;
import io.invalidb.query.GeoPosition;
import io.invalidb.query.PathConstraint;
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

/** Candidates that are found by the values at one path, each entered by one constraint. Single-threaded. */
final class ValuesAt {

    private final FieldPath path;
    private final BagTable<Long> equal = new BagTable<>();
    private final IntervalTreap ranges = new IntervalTreap();
    private final PrefixTrie prefixes = new PrefixTrie();
    private final GeoCells areas = new GeoCells();
    private final Runnable parting = this::part;
    private int crowd;

    ValuesAt(String path) {
        this.path = FieldPath.parse(path);
    }

    /** @param further what else a document has to satisfy to find the candidate; only with a value or a prefix */
    Place enter(PathConstraint constraint, Candidate candidate, Optional<PathConstraint> further) {
        if (constraint instanceof PathConstraint.OneOf oneOf) {
            return enter(oneOf.anyOf(), candidate, further);
        }
        if (constraint instanceof PathConstraint.Prefix prefix) {
            return prefixes.add(prefix.text(), candidate, further);
        }
        return constraint instanceof PathConstraint.Area area
                ? Place.Several.of(area.boxes().stream()
                        .map(box -> areas.add(box, candidate))
                        .toList())
                : ranges.add(Interval.of((PathConstraint.Range) constraint), candidate);
    }

    private Place enter(List<BsonValue> values, Candidate candidate, Optional<PathConstraint> further) {
        List<Place> places = new ArrayList<>(values.size());
        values.forEach(value -> places.add(equal.add(EqualityKey.of(value), candidate, further)));
        return Place.Several.of(places);
    }

    /** The same for a candidate that is found here and nowhere else; it counts in the crowd until it leaves. */
    Place enterAlone(PathConstraint constraint, Candidate candidate, Optional<PathConstraint> further) {
        crowd++;
        return constraint instanceof PathConstraint.Range range
                ? ranges.add(Interval.of(range), candidate, parting)
                : new Place.Followed(enter(constraint, candidate, further), parting);
    }

    private void part() {
        crowd--;
    }

    boolean isEmpty() {
        return equal.isEmpty() && ranges.isEmpty() && prefixes.isEmpty() && areas.isEmpty();
    }

    /**
     * Hands out all candidates whose constraint the document satisfies, and perhaps others; some several times. All of them, if
     * looking for them takes longer than the allowance has left and than trying each of them for nothing.
     */
    void find(BsonDocument document, Consumer<Candidate> action, Allowance allowance) {
        if (isEmpty()) {
            return;
        }
        Search search = new Search(action, allowance.begin(crowd));
        try {
            search.walk(document);
        } catch (RuntimeException | StackOverflowError e) {
            // With a document that breaks here every filter has to show whether it breaks it, too.
            forEach(action);
            return;
        } finally {
            allowance.end();
        }
        search.divided.forEach(bag -> bag.findNarrowed(document, action, allowance));
    }

    /** All of them. */
    void forEach(Consumer<Candidate> action) {
        equal.forEach(action);
        ranges.forEach(action);
        prefixes.forEach(action);
        areas.forEach(action);
    }

    /**
     * Looks up one value after the other, but ranges only at the end: the two bounds of {@code {a: {$gt: 5, $lt: 10}}} may be
     * met by two elements of an array, both of which are in the interval around all of them. Looks into each bag once, however
     * many values lead there: an array may hold the same value a hundred thousand times. Each look takes a step of the budget.
     */
    private final class Search implements Consumer<BsonValue> {
        private final Consumer<Candidate> action;
        private final Budget budget;
        private @Nullable Interval around;
        private StoredGeometry.@Nullable Bounds bounds;
        private List<GeoBox> boxes = List.of();
        private final Consumer<Bag> looking = this::look;
        private @Nullable Bag first;
        private Set<Bag> others = Set.of();

        /** In which only some are found, by ways of their own. */
        private List<Bag> divided = List.of();

        private Search(Consumer<Candidate> action, Budget budget) {
            this.action = action;
            this.budget = budget;
        }

        private void walk(BsonDocument document) {
            path.forEachValue(document, this, budget);
            if (around != null) {
                ranges.forEachTouching(around, action);
            }
            if (!boxes.isEmpty()) {
                areas.findTouching(boxes, looking, budget);
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

        private void look(Bag bag) {
            budget.spend(1);
            if (isNew(bag)) {
                bag.forEachWhole(action);
                if (bag.isDivided()) {
                    divided = divided.isEmpty() ? new ArrayList<>() : divided;
                    divided.add(bag);
                }
            }
        }

        /** Most documents lead to one bag. */
        @SuppressWarnings("ReferenceEquality")
        private boolean isNew(Bag bag) {
            if (first == null) {
                first = bag;
                return true;
            }
            if (bag == first) {
                return false;
            }
            others = others.isEmpty() ? new HashSet<>() : others;
            return others.add(bag);
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
                bounds = new StoredGeometry.Bounds(budget);
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
