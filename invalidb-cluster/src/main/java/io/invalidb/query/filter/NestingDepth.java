package io.invalidb.query.filter;

import io.invalidb.query.QuerySyntaxException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * The check that limits how deep the objects and arrays of a filter are nested. It counts level by
 * level, because recursion would overflow the stack on hostile input.
 */
final class NestingDepth {

    private static final int MAX_DEPTH = 100;

    private NestingDepth() {}

    static void requireShallow(BsonDocument filter) {
        List<Collection<BsonValue>> level = List.of(filter.values());
        for (int depth = 1; !level.isEmpty(); depth++) {
            if (depth > MAX_DEPTH) {
                throw new QuerySyntaxException("A query is nested at most " + MAX_DEPTH + " levels deep");
            }
            level = children(level);
        }
    }

    private static List<Collection<BsonValue>> children(List<Collection<BsonValue>> level) {
        List<Collection<BsonValue>> children = new ArrayList<>();
        for (Collection<BsonValue> values : level) {
            for (BsonValue value : values) {
                if (value instanceof BsonDocument document) {
                    children.add(document.values());
                } else if (value instanceof BsonArray array) {
                    children.add(array);
                }
            }
        }
        return children;
    }
}
