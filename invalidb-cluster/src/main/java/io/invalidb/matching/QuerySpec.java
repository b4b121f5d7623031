package io.invalidb.matching;

import io.invalidb.query.filter.Filter;

/**
 * The specification of a query to watch: its id, its bucket and its filter.
 *
 * @param id the name of the query in match events; one id always stands for the same bucket and
 *     filter
 * @param bucket the bucket whose objects it selects
 * @param filter the condition on these objects
 */
public record QuerySpec(String id, String bucket, Filter filter) {}
