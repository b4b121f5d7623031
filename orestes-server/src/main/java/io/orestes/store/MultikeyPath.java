package io.orestes.store;

import io.invalidb.query.filter.PathConstraint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonType;
import org.bson.BsonValue;

/**
 * A dotted field path that yields all values of a document that an index has to contain. These are
 * all values that any reading of MongoDB's rules could find at the path. Arrays count by their
 * elements, at any depth, and as a whole. A missing value or an empty array counts as null.
 */
public final class MultikeyPath {

    private final List<String> segments;

    /** Parses the path, whose segments may be positions in arrays. */
    public MultikeyPath(String path) {
        segments = List.of(path.split("\\.", -1));
    }

    /** Returns the values at this path, at least one. */
    public List<BsonValue> valuesIn(BsonDocument document) {
        List<BsonValue> found = new ArrayList<>(1);
        collect(document, 0, found);
        return found;
    }

    /**
     * Returns the values that have to be unique. The elements of an array count one by one;
     * missing, null and empty values are left out.
     */
    public List<BsonValue> distinctiveValuesIn(BsonDocument document) {
        List<BsonValue> found = new ArrayList<>(1);
        follow(document, 0, found);
        found.removeIf(value -> value.getBsonType() == BsonType.NULL || value.getBsonType() == BsonType.UNDEFINED);
        return found;
    }

    private void follow(BsonValue value, int depth, List<BsonValue> found) {
        if (depth == segments.size()) {
            found.addAll(value.isArray() ? value.asArray() : List.of(value));
        } else if (value.isDocument()) {
            follow(value.asDocument().get(segments.get(depth), BsonNull.VALUE), depth + 1, found);
        } else if (value.isArray()) {
            value.asArray().stream().filter(BsonValue::isDocument).forEach(element -> follow(element, depth, found));
            positionIn(value.asArray(), depth).ifPresent(element -> follow(element, depth + 1, found));
        }
    }

    private void collect(BsonValue value, int depth, List<BsonValue> found) {
        if (depth == segments.size()) {
            found.addAll(PathConstraint.valuesOf(value));
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
            positionIn(array, depth).ifPresent(element -> collect(element, depth + 1, found));
        }
    }

    /**
     * Returns the element of an array that the path names by its position; empty if it names none.
     */
    private Optional<BsonValue> positionIn(BsonArray array, int depth) {
        String segment = segments.get(depth);
        if (segment.isEmpty() || segment.length() > 8 || !segment.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Optional.empty();
        }
        int position = Integer.parseInt(segment);
        return Optional.of(position < array.size() ? array.get(position) : BsonNull.VALUE);
    }

    private BsonValue child(BsonValue value, int depth) {
        return value.isDocument() ? value.asDocument().get(segments.get(depth), BsonNull.VALUE) : BsonNull.VALUE;
    }
}
