package io.invalidb.aggregation;

import io.invalidb.model.MatchType;
import org.bson.BsonDocument;

/**
 * An addition, change or removal of one group's row in a live aggregate. A client that applies the
 * events in order, by putting and deleting rows by {@code _id}, has the result.
 *
 * @param type {@code ADD}, {@code CHANGE} or {@code REMOVE}
 * @param row the current state of the group; after a removal it has only {@code _id}. It never
 *     changes afterwards
 */
public record GroupEvent(MatchType type, BsonDocument row) {}
