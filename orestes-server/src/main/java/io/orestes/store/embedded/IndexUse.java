package io.orestes.store.embedded;

import com.google.common.primitives.Bytes;
import com.google.common.primitives.Ints;
import io.invalidb.query.PathConstraint;
import io.invalidb.query.PathConstraint.OneOf;
import io.invalidb.query.PathConstraint.Range;
import io.orestes.store.IndexKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bson.BsonType;
import org.bson.BsonValue;

/**
 * What one index can do for one filter. From its first key on, every key with an equality multiplies the points to look
 * at; the first key without one ends that, possibly with a range.
 */
final class IndexUse {

    private static final int MOST_POINTS = 1_000;

    private final IndexDefinition index;
    private final List<PathConstraint> constraints;
    private List<byte[]> points = List.of(new byte[0]);
    private List<Range> bounds = List.of();
    private int equalities;

    private IndexUse(IndexDefinition index, List<PathConstraint> constraints) {
        this.index = index;
        this.constraints = constraints;
    }

    static IndexUse of(IndexDefinition index, List<PathConstraint> constraints) {
        IndexUse use = new IndexUse(index, constraints);
        use.match();
        return use;
    }

    /** Whether it leads to fewer objects than there are. */
    boolean narrows() {
        return rank() > 0;
    }

    /** How far it narrows: two for each equality, one for a range. */
    int rank() {
        return 2 * equalities + (bounds.isEmpty() ? 0 : 1);
    }

    AccessPath path() {
        List<KeyRange> ranges = new ArrayList<>();
        ranges.add(IndexEntries.overflow(index));
        byte[] number = Ints.toByteArray(index.number());
        List<Range> oneBound = bounds.stream().limit(1).toList();
        for (byte[] point : points) {
            ranges.add(within(Bytes.concat(number, IndexEntries.SOLE, point), bounds));
            ranges.add(within(Bytes.concat(number, IndexEntries.SEVERAL, point), oneBound));
        }
        ranges.removeIf(KeyRange::isEmpty);
        return new AccessPath.ByIndex(ranges);
    }

    private KeyRange within(byte[] point, List<Range> bounds) {
        KeyRange range = KeyRange.prefix(point);
        for (Range bound : bounds) {
            range = range.intersection(nextComponent().within(point, bound));
        }
        return range;
    }

    private IndexComponent nextComponent() {
        return new IndexComponent(index.keys().keys().get(equalities));
    }

    private void match() {
        for (IndexKeys.Key key : index.keys().keys()) {
            if (!matchEquality(key)) {
                matchRange(key);
                return;
            }
        }
    }

    private boolean matchEquality(IndexKeys.Key key) {
        Optional<List<BsonValue>> values = on(key, OneOf.class)
                .map(OneOf::anyOf)
                .filter(anyOf -> anyOf.stream().allMatch(IndexUse::isComparable))
                .findFirst();
        if (values.isEmpty() || (long) points.size() * values.get().size() > MOST_POINTS) {
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

    private void matchRange(IndexKeys.Key key) {
        bounds = on(key, Range.class).filter(IndexUse::isWithinBracket).toList();
    }

    private <C extends PathConstraint> Stream<C> on(IndexKeys.Key key, Class<C> kind) {
        return constraints.stream()
                .filter(constraint -> constraint.path().equals(key.path()))
                .filter(kind::isInstance)
                .map(kind::cast);
    }

    private static boolean isWithinBracket(Range range) {
        return Stream.of(range.lower(), range.upper()).flatMap(Optional::stream).allMatch(IndexUse::isComparable)
                && Stream.of(range.lower(), range.upper())
                                .flatMap(Optional::stream)
                                .mapToInt(ValueEncoding::bracket)
                                .distinct()
                                .count()
                        == 1;
    }

    /** Values that stand for more than their own bracket, or are patterns, say nothing about entries. */
    private static boolean isComparable(BsonValue value) {
        BsonType type = value.getBsonType();
        return type != BsonType.MIN_KEY && type != BsonType.MAX_KEY && type != BsonType.REGULAR_EXPRESSION;
    }
}
