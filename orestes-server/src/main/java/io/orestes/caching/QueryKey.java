package io.orestes.caching;

import io.orestes.json.JsonWriter;
import io.orestes.model.UriComponent;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * The canonical cache key of a query, equal for all its URLs (protocol, section 13.4).
 *
 * @param bucket the class
 * @param filter the filter. The order of conditions makes no difference. The order of keys in an
 *     embedded operand does, because MongoDB compares them in order; these keys are left as they
 *     are
 * @param sort paths to 1 or -1; their order counts
 * @param start results to skip, 0 by default
 * @param count maximum number of results; negative for no limit, the default
 * @param ids whether the result is a list of ids, not of objects
 */
public record QueryKey(String bucket, BsonDocument filter, BsonDocument sort, int start, int count, boolean ids) {

    private static final Set<String> JUNCTIONS = Set.of("$and", "$or", "$nor");
    private static final Set<String> NESTING = Set.of("$not", "$elemMatch");

    /**
     * Returns whether a key is that of a query and not of an object, since ids of objects contain
     * no question mark.
     */
    static boolean isOfQuery(String key) {
        return key.indexOf('?') >= 0;
    }

    /** Returns the class of a key. */
    static String bucketOf(String key) {
        int from = "/db/".length();
        return key.substring(from, key.indexOf('/', from));
    }

    /**
     * Returns the key as text: {@code /db/<class>/query?} and {@code count}, {@code ids},
     * {@code q}, {@code sort}, {@code start} in this order, percent-encoded. Parameters with their
     * default are left out.
     */
    public String text() {
        StringJoiner parameters = new StringJoiner("&", "/db/" + bucket + "/query?", "");
        if (count >= 0) {
            parameters.add("count=" + count);
        }
        if (ids) {
            parameters.add("ids=true");
        }
        if (!filter.isEmpty()) {
            parameters.add("q=" + UriComponent.encode(JsonWriter.print(sorted(filter))));
        }
        if (!sort.isEmpty()) {
            parameters.add("sort=" + UriComponent.encode(JsonWriter.print(sort)));
        }
        if (start > 0) {
            parameters.add("start=" + start);
        }
        return parameters.toString();
    }

    /**
     * Sorts the keys of conditions. Keys of operands that are values stay in order, because it is
     * significant there.
     */
    private static BsonDocument sorted(BsonDocument condition) {
        BsonDocument sorted = new BsonDocument(condition.size());
        new TreeMap<>(condition).forEach((key, operand) -> sorted.put(key, sorted(key, operand)));
        return sorted;
    }

    private static BsonValue sorted(String key, BsonValue operand) {
        if (JUNCTIONS.contains(key) && operand.isArray()) {
            return new BsonArray(
                    operand.asArray().stream().map(QueryKey::sortedBranch).toList());
        }
        boolean isCondition =
                operand.isDocument() && (NESTING.contains(key) || hasOperators(key, operand.asDocument()));
        return isCondition ? sorted(operand.asDocument()) : operand;
    }

    private static BsonValue sortedBranch(BsonValue branch) {
        return branch.isDocument() ? sorted(branch.asDocument()) : branch;
    }

    private static boolean hasOperators(String key, BsonDocument operand) {
        return !key.startsWith("$")
                && !operand.isEmpty()
                && operand.getFirstKey().startsWith("$");
    }
}
