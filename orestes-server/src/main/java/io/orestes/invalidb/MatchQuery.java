package io.orestes.invalidb;

import io.invalidb.query.filter.Filter;

/**
 * A query as InvaliDB matches it: an id, a class and a filter, without any order.
 *
 * @param id equal for all filters with the same meaning
 * @param bucket class whose objects it matches
 * @param filter the caller's filter, joined with the condition that the caller may read the object
 */
public record MatchQuery(String id, String bucket, Filter filter) {

    /** Returns the query of this filter. */
    public static MatchQuery of(String bucket, Filter filter) {
        return new MatchQuery(bucket + "?" + filter.normalForm().toJson(), bucket, filter);
    }
}
