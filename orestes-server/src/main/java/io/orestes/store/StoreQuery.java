package io.orestes.store;

import io.invalidb.query.Filter;
import io.invalidb.query.SortOrder;

/**
 * A pull query on one bucket.
 *
 * @param bucket which bucket
 * @param filter which of its objects
 * @param sort in which order; ties and unsorted results are ordered by id
 * @param skip how many matching objects to leave out at the start, at least 0
 * @param limit most objects to return, at least 0; {@link #UNLIMITED} for all
 */
public record StoreQuery(String bucket, Filter filter, SortOrder sort, long skip, int limit) {

    public static final int UNLIMITED = Integer.MAX_VALUE;

    public StoreQuery {
        if (skip < 0 || limit < 0) {
            throw new IllegalArgumentException("skip and limit are not negative");
        }
    }

    /** The same with another filter. */
    public StoreQuery with(Filter other) {
        return new StoreQuery(bucket, other, sort, skip, limit);
    }

    /** Everything that matches, ordered by id. */
    public static StoreQuery all(String bucket, Filter filter) {
        return new StoreQuery(bucket, filter, SortOrder.BY_ID, 0, UNLIMITED);
    }
}
