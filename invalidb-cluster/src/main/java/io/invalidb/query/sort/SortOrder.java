package io.invalidb.query.sort;

import io.invalidb.query.BudgetExceededException;
import io.invalidb.query.Excerpt;
import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.StepBudget;
import io.invalidb.query.filter.FieldPath;
import io.invalidb.query.filter.Filter;
import io.invalidb.query.filter.Proximity;
import io.invalidb.query.value.LongConversion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNumber;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * MongoDB's sort order on documents, ties broken by {@code _id} ascending, so that it is total. An
 * array counts by its first element in this order; absent fields count as null, empty arrays come
 * before null. Immutable.
 */
public final class SortOrder implements Comparator<BsonDocument> {

    /** The order by {@code _id} ascending alone. */
    public static final SortOrder BY_ID = new SortOrder(List.of(), null);

    private static final int MAX_KEYS = 32;
    private static final String ID = "_id";
    private static final SortField TIE_BREAKER = new SortField(FieldPath.parse(ID), true);

    private final List<SortField> keys;

    private final @Nullable Proximity proximity;

    private SortOrder(List<SortField> keys, @Nullable Proximity proximity) {
        this.keys = keys;
        this.proximity = proximity;
    }

    /** Returns the default order of results that the filter demands: nearest first. */
    public static Optional<SortOrder> nearest(Filter filter) {
        return filter.proximity().map(proximity -> new SortOrder(List.of(), proximity));
    }

    /**
     * Parses {@code {"path": 1 | -1, …}}; the empty document is {@link #BY_ID}.
     *
     * @throws QuerySyntaxException if a direction is neither 1 nor -1, a path is malformed, or
     *     there are more than 32
     * @throws QueryNotSupportedException if it sorts by anything but fields, e.g. {@code {$meta:
     *     "textScore"}}
     */
    public static SortOrder parse(BsonDocument sort) {
        if (sort.size() > MAX_KEYS) {
            throw new QuerySyntaxException("A sort order has at most " + MAX_KEYS + " keys");
        }
        List<SortField> keys = new ArrayList<>();
        sort.forEach((path, direction) -> keys.add(new SortField(path(path), isAscending(path, direction))));
        return new SortOrder(upToId(keys), null);
    }

    private static FieldPath path(String path) {
        if (path.startsWith("$")) {
            throw new QueryNotSupportedException("Sorting by " + Excerpt.of(path) + " is not supported");
        }
        return FieldPath.parse(path);
    }

    private static boolean isAscending(String path, BsonValue direction) {
        if (direction instanceof BsonDocument) {
            throw new QueryNotSupportedException("Sorting by computed values is not supported");
        }
        OptionalLong sign =
                direction instanceof BsonNumber number ? LongConversion.exact(number) : OptionalLong.empty();
        if (Math.abs(sign.orElse(0)) != 1) {
            throw new QuerySyntaxException("The direction of '" + Excerpt.of(path) + "' is neither 1 nor -1");
        }
        return sign.getAsLong() == 1;
    }

    /**
     * Returns the keys up to {@code _id}. Ids are unique: no key after {@code _id} decides
     * anything, and ascending it is the tie breaker.
     */
    private static List<SortField> upToId(List<SortField> keys) {
        List<SortField> deciding = new ArrayList<>();
        for (SortField key : keys) {
            if (key.equals(TIE_BREAKER)) {
                break;
            }
            deciding.add(key);
            if (key.path().equals(TIE_BREAKER.path())) {
                break;
            }
        }
        return List.copyOf(deciding);
    }

    @Override
    public int compare(BsonDocument one, BsonDocument other) {
        return sortKey(one).compareTo(sortKey(other));
    }

    /**
     * Returns the sort key of the document, to be extracted once for several comparisons.
     *
     * @throws BudgetExceededException if it is too expensive to extract, from arrays of arrays or
     *     large geometries
     */
    public DocumentSortKey sortKey(BsonDocument document) {
        return sortKey(document, new StepBudget());
    }

    /** Returns the sort key at the cost of this budget. */
    public DocumentSortKey sortKey(BsonDocument document, StepBudget stepBudget) {
        double distance = proximity == null ? 0 : proximity.distance(document, stepBudget);
        return DocumentSortKey.of(document, keys, distance, stepBudget);
    }

    /**
     * Returns whether each path has at most one value, without an array on it; distances are no
     * values.
     */
    public boolean isBySoleValues(BsonDocument document) {
        return keys.stream().allMatch(key -> key.soleValue(document) != null);
    }

    /** Returns whether results are in the order of {@code _id} alone. */
    public boolean isById() {
        return keys.isEmpty() && proximity == null;
    }

    /**
     * Returns the given order, without the tie breaker and keys behind it; equal orders have equal
     * documents. An order by distance is written as its condition.
     */
    public BsonDocument toBson() {
        BsonDocument sort = proximity == null ? new BsonDocument() : proximity.toBson();
        keys.forEach(key -> sort.put(key.path().toString(), new BsonInt32(key.ascending() ? 1 : -1)));
        return sort;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SortOrder that && keys.equals(that.keys) && Objects.equals(proximity, that.proximity);
    }

    @Override
    public int hashCode() {
        return Objects.hash(keys, proximity);
    }

    @Override
    public String toString() {
        return toBson().toJson();
    }
}
