package io.invalidb.matching.selectivity;

import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.StepBudget;
import io.invalidb.query.filter.FieldPath;
import io.invalidb.query.filter.PathConstraint;
import io.invalidb.query.filter.PathConstraintVisitor;
import io.invalidb.query.geo.GeoBox;
import io.invalidb.query.geo.GeoPosition;
import io.invalidb.query.geo.StoredGeometry;
import io.invalidb.query.value.EqualityHash;
import io.invalidb.query.value.OrderPrefix;
import io.invalidb.query.value.StepCost;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * Statistics of the values at one path in a sample of documents, for estimating the selectivity of
 * constraints. Immutable.
 */
final class PathStatistics implements PathConstraintVisitor<Double> {

    private final int documents;

    /** Order key of the smallest value of each document, ascending. */
    private final long[] least;

    /** Order key of the largest value of each document, ascending. */
    private final long[] greatest;

    /** Equality keys of all values, ascending. */
    private final long[] equal;

    private final List<GeoBox> places;

    private PathStatistics(Collector collected) {
        this.documents = collected.documents;
        this.least = sorted(collected.least);
        this.greatest = sorted(collected.greatest);
        this.equal = sorted(collected.equal);
        this.places = collected.places;
    }

    private static long[] sorted(LongStream.Builder keys) {
        long[] sorted = keys.build().toArray();
        Arrays.sort(sorted);
        return sorted;
    }

    /** Collects the statistics of as many documents as the budget allows. */
    static PathStatistics of(String path, List<BsonDocument> sample, StepBudget stepBudget) {
        Collector collector = new Collector(FieldPath.parse(path), stepBudget);
        collector.addAll(sample);
        return new PathStatistics(collector);
    }

    /**
     * Returns the estimated share. With few documents, or without a document that satisfies the
     * constraint, its kind decides.
     */
    double selectivity(PathConstraint constraint) {
        return constraint.accept(this);
    }

    @Override
    public Double visitOneOf(PathConstraint.OneOf oneOf) {
        return selectivity(count(oneOf), 0.002 * oneOf.anyOf().size());
    }

    @Override
    public Double visitRange(PathConstraint.Range range) {
        boolean isClosed = range.lower() != null && range.upper() != null;
        return selectivity(count(range), isClosed ? 0.01 : 0.3);
    }

    @Override
    public Double visitPrefix(PathConstraint.Prefix prefix) {
        return selectivity(count(prefix.range()), 0.02);
    }

    @Override
    public Double visitArea(PathConstraint.Area area) {
        return selectivity(count(area), 0.02);
    }

    private double selectivity(long count, double expected) {
        return (count + Math.min(1, expected)) / (documents + 1);
    }

    private long count(PathConstraint.OneOf oneOf) {
        long count = 0;
        for (BsonValue value : oneOf.anyOf()) {
            long key = EqualityHash.of(value);
            count += countBelow(equal, key + 1) - countBelow(equal, key);
        }
        return count;
    }

    /** Returns the number of documents with values that may be in the range. */
    private long count(PathConstraint.Range range) {
        Interval interval = Interval.of(range);
        long notAbove = countBelow(least, interval.to() + 1);
        long below = countBelow(greatest, interval.from());
        return Math.max(0, notAbove - below);
    }

    private long count(PathConstraint.Area area) {
        return places.stream()
                .filter(place -> area.boxes().stream().anyMatch(place::intersects))
                .count();
    }

    private static int countBelow(long[] ascending, long key) {
        int from = 0;
        int to = ascending.length;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (ascending[middle] < key) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }

    /** Collects the statistics. */
    private static final class Collector {

        /** Cost of one value in steps: two keys, which are sorted later. */
        private static final long STEPS_PER_VALUE = 8;

        /** Maximum number of positions of one document: every estimate reads all of them. */
        private static final int MAX_BOXES = 8;

        private final FieldPath path;
        private final StepBudget stepBudget;
        private final LongStream.Builder least = LongStream.builder();
        private final LongStream.Builder greatest = LongStream.builder();
        private final LongStream.Builder equal = LongStream.builder();
        private final List<GeoBox> places = new ArrayList<>();
        private int documents;

        private Collector(FieldPath path, StepBudget stepBudget) {
            this.path = path;
            this.stepBudget = stepBudget;
        }

        private void addAll(List<BsonDocument> sample) {
            try {
                sample.forEach(this::add);
            } catch (BudgetExceededException outOfSteps) {
                // The estimates use the documents read so far.
                return;
            }
        }

        /** Adds a document, unless reading it fails. */
        private void add(BsonDocument document) {
            List<BsonValue> values = new ArrayList<>();
            List<GeoBox> found = new ArrayList<>();
            try {
                path.forEachValue(document, value -> take(value, values), stepBudget);
                values.forEach(value -> findPlaces(value, found));
            } catch (BudgetExceededException outOfSteps) {
                throw outOfSteps;
            } catch (RuntimeException | StackOverflowError e) {
                return;
            }
            add(values);
            found.stream().limit(MAX_BOXES).forEach(places::add);
            documents++;
        }

        private void take(BsonValue value, List<BsonValue> values) {
            stepBudget.spend(STEPS_PER_VALUE);
            StepCost.spend(value, stepBudget);
            values.add(value);
        }

        private void add(List<BsonValue> values) {
            long[] keys = values.stream().mapToLong(OrderPrefix::of).toArray();
            LongStream.of(keys).min().ifPresent(least::add);
            LongStream.of(keys).max().ifPresent(greatest::add);
            values.forEach(value -> equal.add(EqualityHash.of(value)));
        }

        private void findPlaces(BsonValue value, List<GeoBox> found) {
            GeoPosition.stored(value)
                    .ifPresentOrElse(
                            place -> found.add(GeoBox.at(place)),
                            () -> found.addAll(new StoredGeometry.Bounds(stepBudget).of(value)));
        }
    }
}
