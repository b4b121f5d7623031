package io.orestes.caching;

import io.orestes.model.UriComponent;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.Function;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * The canonical cache key of a query, equal for all its spellings (protocol, section 13.4). It is
 * {@code /db/<class>/query?} and {@code count}, {@code ids}, {@code q}, {@code sort}, {@code start}
 * in this order, percent-encoded, without those that have their default.
 */
public final class QueryKey {

    private static final Set<String> JUNCTIONS = Set.of("$and", "$or", "$nor");
    private static final Set<String> NESTING = Set.of("$not", "$elemMatch");

    private QueryKey() {}

    /**
     * Whether a key is that of a query and not of an object, of whose ids a question mark is no
     * part.
     */
    static boolean isOfQuery(String key) {
        return key.indexOf('?') >= 0;
    }

    /** The class of a key. */
    static String bucketOf(String key) {
        int from = "/db/".length();
        return key.substring(from, key.indexOf('/', from));
    }

    /**
     * The key of a query.
     *
     * @param q the filter; the order of conditions makes no difference, that of keys in an embedded
     *     object to compare with does (MongoDB compares them in order), so these keys are left as
     *     they are
     * @param sort paths to 1 or -1; their order counts
     * @param start results to skip, 0 by default
     * @param count most results wanted; negative for no limit, the default
     * @param ids whether the result is a list of ids, not of objects
     * @param json writes a document as JSON, in its order of keys and without blanks
     */
    public static String of(
            String bucket,
            BsonDocument q,
            BsonDocument sort,
            int start,
            int count,
            boolean ids,
            Function<BsonDocument, String> json) {
        StringJoiner parameters = new StringJoiner("&", "/db/" + bucket + "/query?", "");
        if (count >= 0) {
            parameters.add("count=" + count);
        }
        if (ids) {
            parameters.add("ids=true");
        }
        if (!q.isEmpty()) {
            parameters.add("q=" + UriComponent.encode(json.apply(sorted(q))));
        }
        if (!sort.isEmpty()) {
            parameters.add("sort=" + UriComponent.encode(json.apply(sort)));
        }
        if (start > 0) {
            parameters.add("start=" + start);
        }
        return parameters.toString();
    }

    /**
     * Sorts the keys of conditions; where an operand is a value, the order of its keys is part of
     * what it means.
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
