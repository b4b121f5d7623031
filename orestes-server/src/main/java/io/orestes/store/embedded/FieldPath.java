package io.orestes.store.embedded;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;

/**
 * A dotted path as an index sees it: it leads to every value that any reading of MongoDB's rules could find there. Arrays
 * count by their elements, at any depth, and as a whole; where something is missing or an array is empty there is a null.
 */
final class FieldPath {

    private final List<String> segments;

    FieldPath(String path) {
        segments = List.of(path.split("\\.", -1));
    }

    /** The values at this path, at least one. */
    List<BsonValue> valuesIn(BsonDocument document) {
        List<BsonValue> found = new ArrayList<>(1);
        collect(document, 0, found);
        return found;
    }

    private void collect(BsonValue value, int depth, List<BsonValue> found) {
        if (depth == segments.size()) {
            found.add(value);
        }
        if (value.isArray()) {
            collectElements(value.asArray(), depth, found);
        } else if (depth < segments.size()) {
            collect(child(value, depth), depth + 1, found);
        }
    }

    private void collectElements(BsonArray array, int depth, List<BsonValue> found) {
        if (array.isEmpty()) {
            found.add(BsonNull.VALUE);
        }
        for (BsonValue element : array) {
            collect(element, depth, found);
        }
        if (depth < segments.size()) {
            collectPosition(array, depth, found);
        }
    }

    private void collectPosition(BsonArray array, int depth, List<BsonValue> found) {
        String segment = segments.get(depth);
        if (!segment.isEmpty() && segment.length() < 9 && segment.chars().allMatch(c -> c >= '0' && c <= '9')) {
            int position = Integer.parseInt(segment);
            collect(position < array.size() ? array.get(position) : BsonNull.VALUE, depth + 1, found);
        }
    }

    private BsonValue child(BsonValue value, int depth) {
        return value.isDocument() ? value.asDocument().get(segments.get(depth), BsonNull.VALUE) : BsonNull.VALUE;
    }
}
