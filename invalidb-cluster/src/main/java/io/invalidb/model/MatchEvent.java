package io.invalidb.model;

/**
 * A change of the result of one query, caused by one write.
 *
 * @param queryId id of the query, as subscribed
 * @param type the kind of change
 * @param write the write that caused it
 */
public record MatchEvent(String queryId, MatchType type, WriteEvent write) {}
