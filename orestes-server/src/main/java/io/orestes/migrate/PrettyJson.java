package io.orestes.migrate;

import io.orestes.json.JsonWriter;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The printer of indented JSON in a canonical member order, for people and version control. The
 * text of a descriptor does not depend on its member order.
 */
final class PrettyJson {

    /** Members whose own members have no order. */
    private static final Set<String> UNORDERED = Set.of(
            "metadata", "load", "insert", "update", "delete", "query", "schemaAdd", "schemaReplace", "schemaSubclass");

    private PrettyJson() {}

    /** Returns the text with a line break at its end. */
    static String print(BsonValue value) {
        return print(value, "\n") + "\n";
    }

    private static String print(BsonValue value, String lineBreak) {
        String inner = lineBreak + "  ";
        if (value instanceof BsonDocument document && !document.isEmpty()) {
            return document.entrySet().stream()
                    .map(member -> member(member, inner))
                    .collect(Collectors.joining("," + inner, "{" + inner, lineBreak + "}"));
        }
        if (value instanceof BsonArray array && !array.isEmpty()) {
            return array.stream()
                    .map(element -> print(element, inner))
                    .collect(Collectors.joining("," + inner, "[" + inner, lineBreak + "]"));
        }
        return JsonWriter.print(value);
    }

    private static String member(Map.Entry<String, BsonValue> member, String lineBreak) {
        BsonValue value = member.getValue();
        BsonValue ordered =
                UNORDERED.contains(member.getKey()) && value.isDocument() ? sorted(value.asDocument()) : value;
        return JsonWriter.print(new BsonString(member.getKey())) + ": " + print(ordered, lineBreak);
    }

    private static BsonDocument sorted(BsonDocument document) {
        BsonDocument sorted = new BsonDocument();
        new TreeMap<>(document).forEach(sorted::append);
        return sorted;
    }
}
