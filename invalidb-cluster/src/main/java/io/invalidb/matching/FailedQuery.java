package io.invalidb.matching;

/**
 * A query whose filter failed on a write, and which is no longer watched for that reason.
 *
 * @param query the one that was subscribed, not just an equal one
 * @param cause what its filter threw
 */
public record FailedQuery(QuerySpec query, Throwable cause) {}
