package io.orestes.store;

import io.invalidb.query.Filter;
import io.invalidb.query.SortOrder;
import io.orestes.model.ReadLevel;

/**
 * A pull query on one bucket: filter, sort order, page, memory bound and read level.
 *
 * @param bucket which bucket
 * @param filter which of its objects
 * @param sort in which order; ties and unsorted results are ordered by id
 * @param skip how many matching objects to leave out at the start, at least 0
 * @param limit most objects to return, at least 0; {@link #UNLIMITED} for all
 * @param bound where it fails because the objects take too much memory, as is right where others
 *     choose what is asked for and how large it is
 * @param level what it is sure to see
 */
public record StoreQuery(
        String bucket, Filter filter, SortOrder sort, long skip, int limit, MemoryBound bound, ReadLevel level) {

    public static final int UNLIMITED = Integer.MAX_VALUE;

    /** The part of the result budget that the result of a query may use. */
    public enum MemoryBound {
        /** It is not counted. */
        NONE,
        /**
         * What others leave of half of it, so that what the server reads of its own accord leaves
         * room for what it is asked for.
         */
        HALF,
        /** All of it. */
        ALL
    }

    public StoreQuery {
        if (skip < 0 || limit < 0) {
            throw new IllegalArgumentException("skip and limit are not negative");
        }
    }

    /** One at the level {@link ReadLevel#COMMITTED} that may take whatever memory it needs. */
    public StoreQuery(String bucket, Filter filter, SortOrder sort, long skip, int limit) {
        this(bucket, filter, sort, skip, limit, MemoryBound.NONE, ReadLevel.COMMITTED);
    }

    /** The same within the {@link ResultBudget}. */
    public StoreQuery bounded() {
        return within(MemoryBound.ALL);
    }

    /** The same within a part of the {@link ResultBudget}. */
    public StoreQuery within(MemoryBound other) {
        return new StoreQuery(bucket, filter, sort, skip, limit, other, level);
    }

    /** This query at another level. */
    public StoreQuery at(ReadLevel other) {
        return new StoreQuery(bucket, filter, sort, skip, limit, bound, other);
    }

    /** The same with another filter. */
    public StoreQuery with(Filter other) {
        return new StoreQuery(bucket, other, sort, skip, limit, bound, level);
    }

    /** Everything that matches, ordered by id. */
    public static StoreQuery all(String bucket, Filter filter) {
        return new StoreQuery(bucket, filter, SortOrder.BY_ID, 0, UNLIMITED);
    }
}
