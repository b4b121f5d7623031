package io.invalidb.matching;

import io.invalidb.query.Filter;

/**
 * A query to keep watching.
 *
 * @param id names it in match events; one id always stands for the same bucket and filter
 * @param bucket whose objects it selects from
 * @param filter which of them
 */
public record QuerySpec(String id, String bucket, Filter filter) {}
