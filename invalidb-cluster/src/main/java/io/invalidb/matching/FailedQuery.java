package io.invalidb.matching;

/**
 * A query that could not be evaluated on a write, and is not watched any more.
 *
 * @param query the one that was subscribed, not just an equal one
 * @param cause what its filter threw
 */
public record FailedQuery(QuerySpec query, Throwable cause) {}
