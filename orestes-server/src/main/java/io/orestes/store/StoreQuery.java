package io.orestes.store;

import io.invalidb.query.filter.Filter;
import io.invalidb.query.sort.SortOrder;
import io.orestes.model.ReadLevel;

/**
 * A pull query on one bucket: filter, sort order, page, memory bound and read level.
 *
 * @param bucket which bucket
 * @param filter which of its objects
 * @param sort in which order; ties and unsorted results are ordered by id
 * @param skip number of matching objects to leave out at the start, at least 0
 * @param limit most objects to return, at least 0; {@link #UNLIMITED} for all
 * @param bound part of the memory budget beyond which the query fails; needed where clients choose
 *     the query and the size of the objects
 * @param level consistency level of the read
 */
public record StoreQuery(
        String bucket, Filter filter, SortOrder sort, long skip, int limit, MemoryBound bound, ReadLevel level) {

    public static final int UNLIMITED = Integer.MAX_VALUE;

    /** The part of the result budget that the result of a query may use. */
    public enum MemoryBound {
        /** The result is not counted. */
        NONE,
        /**
         * Half of the budget, less what other results take. Reads that the server makes on its own
         * account thus leave room for requests.
         */
        HALF,
        /** The whole budget. */
        ALL
    }

    public StoreQuery {
        if (skip < 0 || limit < 0) {
            throw new IllegalArgumentException("skip and limit are not negative");
        }
    }

    /** Creates a query at the level {@link ReadLevel#COMMITTED} without a memory bound. */
    public StoreQuery(String bucket, Filter filter, SortOrder sort, long skip, int limit) {
        this(bucket, filter, sort, skip, limit, MemoryBound.NONE, ReadLevel.COMMITTED);
    }

    /** Returns this query within the {@link ResultBudget}. */
    public StoreQuery bounded() {
        return withBound(MemoryBound.ALL);
    }

    /** Returns this query within a part of the {@link ResultBudget}. */
    public StoreQuery withBound(MemoryBound other) {
        return new StoreQuery(bucket, filter, sort, skip, limit, other, level);
    }

    /** Returns this query at another level. */
    public StoreQuery withLevel(ReadLevel other) {
        return new StoreQuery(bucket, filter, sort, skip, limit, bound, other);
    }

    /** Returns this query with another filter. */
    public StoreQuery withFilter(Filter other) {
        return new StoreQuery(bucket, other, sort, skip, limit, bound, level);
    }

    /** Creates a query for all matching objects, ordered by id. */
    public static StoreQuery all(String bucket, Filter filter) {
        return new StoreQuery(bucket, filter, SortOrder.BY_ID, 0, UNLIMITED);
    }
}
