package io.invalidb.model;

/**
 * One write changed the result of one query.
 *
 * @param queryId the query as given when it was subscribed
 * @param type how its result changed
 * @param write the write that did it
 */
public record MatchEvent(String queryId, MatchType type, WriteEvent write) {}
