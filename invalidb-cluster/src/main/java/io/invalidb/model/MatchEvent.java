package io.invalidb.model;

/**
 * A change of the result of one query, caused by one write.
 *
 * @param queryId the query as given when it was subscribed
 * @param type how its result changed
 * @param write the write that did it
 */
public record MatchEvent(String queryId, MatchType type, WriteEvent write) {}
