package io.invalidb.matching;

import io.invalidb.query.Filter;

/**
 * The specification of a query to watch: its id, its bucket and its filter.
 *
 * @param id names it in match events; one id always stands for the same bucket and filter
 * @param bucket whose objects it selects from
 * @param filter which of them
 */
public record QuerySpec(String id, String bucket, Filter filter) {}
