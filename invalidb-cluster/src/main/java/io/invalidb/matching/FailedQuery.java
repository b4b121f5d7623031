package io.invalidb.matching;

/**
 * A query whose filter failed on a write, and which is no longer watched for that reason.
 *
 * @param query the instance that was subscribed, not just an equal one
 * @param cause the exception of its filter
 */
public record FailedQuery(QuerySpec query, Throwable cause) {}
