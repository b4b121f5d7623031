package io.orestes.store.embedded.query;

import com.google.common.primitives.Bytes;
import com.google.common.primitives.Ints;
import io.invalidb.query.filter.PathConstraint;
import io.invalidb.query.filter.PathConstraint.OneOf;
import io.invalidb.query.filter.PathConstraint.Range;
import io.orestes.store.IndexSpec;
import io.orestes.store.embedded.database.KeyRange;
import io.orestes.store.embedded.index.EmbeddedIndexDefinition;
import io.orestes.store.embedded.index.IndexComponent;
import io.orestes.store.embedded.index.IndexEntries;
import io.orestes.store.embedded.index.ValueEncoding;
import io.orestes.store.embedded.index.ZOrderCurve;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonValue;

/**
 * A candidate index of a query plan, with the key ranges that the query's conditions yield.
 * Starting at the first key, each key with an equality multiplies the points to read. The first key
 * without one ends that, possibly with a range, an area, or words.
 */
final class IndexCandidate {

    private static final int MAX_POINTS = 1_000;

    private final EmbeddedIndexDefinition index;
    private final IndexableConditions requirements;
    private List<byte[]> points = List.of(new byte[0]);
    private TrailingCondition rest = TrailingCondition.ANYTHING;
    private int equalities;

    private IndexCandidate(EmbeddedIndexDefinition index, IndexableConditions requirements) {
        this.index = index;
        this.requirements = requirements;
    }

    /** @param requirements conditions that all matching objects fulfil */
    static IndexCandidate of(EmbeddedIndexDefinition index, IndexableConditions requirements) {
        IndexCandidate use = new IndexCandidate(index, requirements);
        use.matchConditions();
        return use;
    }

    /**
     * Returns the rank of its selectivity: two for each equality and for words, one for a range or
     * an area; 0 if it leads to all objects.
     */
    int rank() {
        return 2 * equalities + rest.rank();
    }

    /** Returns the number of its first keys that have an equality. */
    int equalities() {
        return equalities;
    }

    /**
     * True if all entries on the path have equal values at these keys, as far as the index
     * distinguishes them.
     */
    boolean isOnePoint() {
        return points.size() == 1;
    }

    EmbeddedIndexDefinition index() {
        return index;
    }

    AccessPath.IndexScan path() {
        List<KeyRange> several = new ArrayList<>();
        several.add(IndexEntries.overflow(index));
        several.addAll(ranges(IndexEntries.MULTI_ENTRY, false));
        return new AccessPath.IndexScan(
                KeyRange.bucket(index.bucket()), several, ranges(IndexEntries.SINGLE_ENTRY, true));
    }

    private List<KeyRange> ranges(byte mark, boolean isSole) {
        byte[] prefix = Bytes.concat(Ints.toByteArray(index.number()), new byte[] {mark});
        return points.stream()
                .flatMap(point -> rest.ranges(Bytes.concat(prefix, point), isSole).stream())
                .filter(range -> !range.isEmpty())
                .toList();
    }

    private void matchConditions() {
        for (IndexSpec.IndexedField key : index.spec().keys()) {
            if (!key.isOrdered() || !matchEquality(key)) {
                rest = rest(key);
                return;
            }
        }
    }

    private TrailingCondition rest(IndexSpec.IndexedField key) {
        return switch (key.kind()) {
            case ASCENDING, DESCENDING ->
                Interval.of(
                        new IndexComponent(key),
                        on(key, requirements.ranges())
                                .filter(IndexCandidate::isWithinBracket)
                                .toList());
            case GEO ->
                on(key, requirements.areas())
                        .findFirst()
                        .<TrailingCondition>map(Area::new)
                        .orElse(TrailingCondition.ANYTHING);
            case TEXT ->
                requirements.words().stream()
                        .findFirst()
                        .<TrailingCondition>map(words -> new Words(new IndexComponent(key), words.anyOf()))
                        .orElse(TrailingCondition.ANYTHING);
        };
    }

    private boolean matchEquality(IndexSpec.IndexedField key) {
        Optional<List<BsonValue>> values = on(key, requirements.equalities())
                .map(OneOf::anyOf)
                .filter(anyOf -> anyOf.stream().allMatch(IndexCandidate::isComparable))
                .findFirst();
        if (values.isEmpty() || (long) points.size() * values.get().size() > MAX_POINTS) {
            return false;
        }
        points = joined(new IndexComponent(key), values.get());
        equalities++;
        return true;
    }

    private List<byte[]> joined(IndexComponent component, List<BsonValue> values) {
        Set<byte[]> joined = new TreeSet<>(Arrays::compareUnsigned);
        for (byte[] point : points) {
            values.forEach(value -> joined.add(Bytes.concat(point, component.of(value))));
        }
        return List.copyOf(joined);
    }

    private static <C extends PathConstraint> Stream<C> on(IndexSpec.IndexedField key, List<C> constraints) {
        return constraints.stream().filter(constraint -> constraint.path().equals(key.path()));
    }

    private static boolean isWithinBracket(Range range) {
        List<BsonValue> bounds =
                Stream.of(range.lower(), range.upper()).filter(Objects::nonNull).toList();
        return bounds.stream().allMatch(IndexCandidate::isComparable)
                && bounds.stream().mapToInt(ValueEncoding::bracket).distinct().count() == 1;
    }

    /**
     * True if the value determines entries. Minimum and maximum keys, which stand for more than
     * their own bracket, arrays, and patterns do not.
     */
    private static boolean isComparable(BsonValue value) {
        BsonType type = value.getBsonType();
        return type != BsonType.MIN_KEY
                && type != BsonType.MAX_KEY
                && type != BsonType.ARRAY
                && type != BsonType.REGULAR_EXPRESSION;
    }

    /** The condition on the values that follow the points. */
    private sealed interface TrailingCondition {

        TrailingCondition ANYTHING = new Unrestricted();

        int rank();

        /** @param isSole whether objects have one entry there */
        List<KeyRange> ranges(byte[] prefix, boolean isSole);
    }

    /** The condition that all values meet. */
    private record Unrestricted() implements TrailingCondition {

        @Override
        public int rank() {
            return 0;
        }

        @Override
        public List<KeyRange> ranges(byte[] prefix, boolean isSole) {
            return List.of(KeyRange.prefix(prefix));
        }
    }

    /**
     * Bounds on the values of a component. Where objects have one entry, all bounds apply to its
     * value.
     *
     * @param bounds at least one
     */
    private record Interval(IndexComponent component, List<Range> bounds) implements TrailingCondition {

        static TrailingCondition of(IndexComponent component, List<Range> bounds) {
            return bounds.isEmpty() ? TrailingCondition.ANYTHING : new Interval(component, bounds);
        }

        @Override
        public int rank() {
            return 1;
        }

        @Override
        public List<KeyRange> ranges(byte[] prefix, boolean isSole) {
            KeyRange range = KeyRange.prefix(prefix);
            for (Range bound : isSole ? bounds : bounds.stream().limit(1).toList()) {
                range = range.intersection(component.within(prefix, bound));
            }
            return List.of(range);
        }
    }

    private record Area(PathConstraint.Area area) implements TrailingCondition {

        @Override
        public int rank() {
            return 1;
        }

        @Override
        public List<KeyRange> ranges(byte[] prefix, boolean isSole) {
            return KeyRange.disjoint(ZOrderCurve.touching(prefix, area.boxes()));
        }
    }

    private record Words(IndexComponent component, Set<String> anyOf) implements TrailingCondition {

        @Override
        public int rank() {
            return 2;
        }

        @Override
        public List<KeyRange> ranges(byte[] prefix, boolean isSole) {
            return KeyRange.disjoint(anyOf.stream()
                    .map(word -> KeyRange.prefix(Bytes.concat(prefix, component.of(new BsonString(word)))))
                    .toList());
        }
    }
}
