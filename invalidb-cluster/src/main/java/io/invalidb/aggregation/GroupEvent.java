package io.invalidb.aggregation;

import io.invalidb.model.MatchType;
import org.bson.BsonDocument;

/**
 * An addition, change or removal of one group's row in a live aggregate. Who applies the events in
 * order, putting and deleting rows by {@code _id}, has the result.
 *
 * @param type {@code ADD}, {@code CHANGE} or {@code REMOVE}
 * @param row the group as it is now; of one that went only {@code _id}. Never changed by anybody afterwards
 */
public record GroupEvent(MatchType type, BsonDocument row) {}
