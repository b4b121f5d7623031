package io.invalidb.matching.index;

import io.invalidb.matching.selectivity.Interval;
import io.invalidb.query.PeriodicStepBudget;
import io.invalidb.query.StepBudget;
import io.invalidb.query.filter.FieldPath;
import io.invalidb.query.filter.PathConstraint;
import io.invalidb.query.filter.PathConstraintVisitor;
import io.invalidb.query.geo.GeoBox;
import io.invalidb.query.geo.GeoPosition;
import io.invalidb.query.geo.StoredGeometry;
import io.invalidb.query.value.EqualityHash;
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
    private final Runnable onRemoved = this::decrementSoleCandidates;
    private int soleCandidates;

    PathIndex(String path) {
        this.path = FieldPath.parse(path);
    }

    /**
     * @param further another constraint that a document has to satisfy; only with a value or a
     *     prefix
     */
    CandidateRegistration add(
            PathConstraint constraint, IndexedFilter indexedFilter, @Nullable PathConstraint further) {
        return constraint.accept(new Insertion(indexedFilter, further));
    }

    /** Adds a candidate without another registration, which is counted until it is removed. */
    CandidateRegistration addSole(
            PathConstraint constraint, IndexedFilter indexedFilter, @Nullable PathConstraint further) {
        soleCandidates++;
        return constraint.accept(new SoleInsertion(new Insertion(indexedFilter, further)));
    }

    /** The insertion of a candidate by a constraint of any kind. */
    private final class Insertion implements PathConstraintVisitor<CandidateRegistration> {
        private final IndexedFilter indexedFilter;
        private final @Nullable PathConstraint further;

        private Insertion(IndexedFilter indexedFilter, @Nullable PathConstraint further) {
            this.indexedFilter = indexedFilter;
            this.further = further;
        }

        @Override
        public CandidateRegistration visitOneOf(PathConstraint.OneOf oneOf) {
            return CandidateRegistration.CompositeRegistration.of(oneOf.anyOf().stream()
                    .map(value -> equal.add(EqualityHash.of(value), indexedFilter, further))
                    .toList());
        }

        @Override
        public CandidateRegistration visitRange(PathConstraint.Range range) {
            return ranges.add(Interval.of(range), indexedFilter);
        }

        @Override
        public CandidateRegistration visitPrefix(PathConstraint.Prefix prefix) {
            return prefixes.add(prefix.text(), indexedFilter, further);
        }

        @Override
        public CandidateRegistration visitArea(PathConstraint.Area area) {
            return CandidateRegistration.CompositeRegistration.of(area.boxes().stream()
                    .map(box -> areas.add(box, indexedFilter))
                    .toList());
        }
    }

    /** The insertion of a candidate without another registration; a range counts itself. */
    private final class SoleInsertion implements PathConstraintVisitor.WithDefault<CandidateRegistration> {
        private final Insertion insertion;

        private SoleInsertion(Insertion insertion) {
            this.insertion = insertion;
        }

        @Override
        public CandidateRegistration visitRange(PathConstraint.Range range) {
            return ranges.add(Interval.of(range), insertion.indexedFilter, onRemoved);
        }

        @Override
        public CandidateRegistration visitConstraint(PathConstraint constraint) {
            return new CandidateRegistration.NotifyingRegistration(constraint.accept(insertion), onRemoved);
        }
    }

    private void decrementSoleCandidates() {
        soleCandidates--;
    }

    boolean isEmpty() {
        return equal.isEmpty() && ranges.isEmpty() && prefixes.isEmpty() && areas.isEmpty();
    }

    /**
     * Passes on all candidates whose constraint the document satisfies, and perhaps others; some
     * several times. Passes on all candidates if the search would exceed the rest of the budget and
     * the cost of testing each of them.
     */
    void find(BsonDocument document, Consumer<IndexedFilter> action, PeriodicStepBudget periodicStepBudget) {
        if (isEmpty()) {
            return;
        }
        Search search = new Search(action, periodicStepBudget.openShared(soleCandidates));
        try {
            search.walk(document);
        } catch (RuntimeException | StackOverflowError e) {
            // If reading the document fails here, every filter has to be evaluated to see whether
            // it fails, too.
            forEach(action);
            return;
        } finally {
            periodicStepBudget.closeShared();
        }
        search.divided.forEach(candidateBag -> candidateBag.findNarrowed(document, action, periodicStepBudget));
    }

    /** Passes on all candidates. */
    void forEach(Consumer<IndexedFilter> action) {
        equal.forEach(action);
        ranges.forEach(action);
        prefixes.forEach(action);
        areas.forEach(action);
    }

    /**
     * A search with one document. Each value is looked up on its own, but ranges only at the end:
     * the two bounds of {@code {a: {$gt: 5, $lt: 10}}} may be satisfied by two elements of an
     * array, both of which are in the interval around all of them. Each bag is visited once,
     * however many values lead to it: an array may contain one value a hundred thousand times. Each
     * look-up costs a step of the budget.
     */
    private final class Search implements Consumer<BsonValue> {
        private final Consumer<IndexedFilter> action;
        private final StepBudget stepBudget;
        private @Nullable Interval around;
        private StoredGeometry.@Nullable Bounds bounds;
        private List<GeoBox> boxes = List.of();
        private final Consumer<CandidateBag> looking = this::look;
        private @Nullable CandidateBag first;
        private Set<CandidateBag> others = Set.of();

        /** Bags of which only some candidates are found, by their further constraints. */
        private List<CandidateBag> divided = List.of();

        private Search(Consumer<IndexedFilter> action, StepBudget stepBudget) {
            this.action = action;
            this.stepBudget = stepBudget;
        }

        private void walk(BsonDocument document) {
            path.forEachValue(document, this, stepBudget);
            if (around != null) {
                ranges.forEachOverlapping(around, action);
            }
            if (!boxes.isEmpty()) {
                areas.findOverlapping(boxes, looking, stepBudget);
            }
        }

        @Override
        public void accept(BsonValue value) {
            if (!ranges.isEmpty()) {
                around = around == null ? Interval.of(value, value) : around.with(value);
            }
            if (!equal.isEmpty()) {
                equal.find(EqualityHash.of(value), looking);
            }
            if (!prefixes.isEmpty()) {
                lookUpText(value);
            }
            if (!areas.isEmpty()) {
                lookUpPosition(value);
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

        /** Returns whether the bag is found for the first time. Most documents find one bag. */
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

        private void lookUpPosition(BsonValue value) {
            Optional<GeoPosition> position = GeoPosition.stored(value);
            if (position.isPresent()) {
                areas.findAround(position.get(), looking);
            } else if (value.isDocument()) {
                addBoxes(value);
            }
        }

        private void addBoxes(BsonValue geometry) {
            if (bounds == null) {
                bounds = new StoredGeometry.Bounds(stepBudget);
                boxes = new ArrayList<>();
            }
            boxes.addAll(bounds.of(geometry));
        }

        private void lookUpText(BsonValue value) {
            if (value instanceof BsonString text) {
                prefixes.findPrefixesOf(text.getValue(), looking);
            } else if (value instanceof BsonSymbol symbol) {
                prefixes.findPrefixesOf(symbol.getSymbol(), looking);
            }
        }
    }
}
