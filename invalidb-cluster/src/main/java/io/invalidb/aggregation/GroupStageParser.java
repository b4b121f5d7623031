package io.invalidb.aggregation;

import io.invalidb.aggregation.AccumulatorSpec.Kind;
import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.expression.ExpressionPath;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The parser for the operand of a {@code $group} stage. */
final class GroupStageParser {

    private static final int MAX_FIELDS = 32;
    private static final int MAX_NAME_LENGTH = 128;

    private GroupStageParser() {}

    static AggregateSpec parse(BsonDocument group) {
        if (!group.containsKey(AggregateSpec.ID)) {
            throw new QuerySyntaxException(
                    "An aggregate needs an _id as its grouping key; null makes one group of all objects");
        }
        requireFew(group);
        Map<String, AccumulatorSpec> fields = new LinkedHashMap<>();
        group.forEach((name, value) -> {
            if (!name.equals(AggregateSpec.ID)) {
                fields.put(fieldName(name), accumulator(name, value));
            }
        });
        return new AggregateSpec(key(group.get(AggregateSpec.ID)), fields);
    }

    private static GroupKey key(BsonValue id) {
        if (id.isNull()) {
            return new GroupKey.SingleGroup();
        }
        return id.isDocument() ? fields(id.asDocument()) : new GroupKey.Field(path("_id", id));
    }

    private static GroupKey fields(BsonDocument id) {
        requireFew(id);
        if (id.isEmpty()) {
            throw new QueryNotSupportedException("An _id without fields is not supported; null makes one group");
        }
        Map<String, ExpressionPath> paths = new LinkedHashMap<>();
        id.forEach((name, value) -> {
            if (name.startsWith("$")) {
                throw new QueryNotSupportedException("The _id of an aggregate is not computed: " + shorten(name));
            }
            paths.put(fieldName(name), path(name, value));
        });
        return new GroupKey.Fields(paths);
    }

    private static AccumulatorSpec accumulator(String name, BsonValue value) {
        if (!value.isDocument() || value.asDocument().size() != 1) {
            throw new QuerySyntaxException(
                    "The field '" + name + "' takes an object with one operator, e.g. {\"$sum\": 1}");
        }
        Map.Entry<String, BsonValue> operation =
                value.asDocument().entrySet().iterator().next();
        return operation.getKey().equals("$count")
                ? count(operation.getValue())
                : accumulator(kind(operation.getKey()), operation.getValue());
    }

    private static AccumulatorSpec count(BsonValue operand) {
        if (!operand.isDocument() || !operand.asDocument().isEmpty()) {
            throw new QuerySyntaxException("$count takes {}");
        }
        return new AccumulatorSpec(Kind.SUM, new AccumulatorSpec.Constant(new BsonInt32(1)));
    }

    private static AccumulatorSpec accumulator(Kind kind, BsonValue operand) {
        return kind == Kind.SUM && operand instanceof BsonNumber number
                ? new AccumulatorSpec(kind, new AccumulatorSpec.Constant(number))
                : new AccumulatorSpec(kind, new AccumulatorSpec.Field(path(kind.operator(), operand)));
    }

    private static Kind kind(String operator) {
        return Stream.of(Kind.values())
                .filter(kind -> kind.operator().equals(operator))
                .findFirst()
                .orElseThrow(() -> new QueryNotSupportedException(
                        "The operator " + shorten(operator) + " is not supported in aggregates"));
    }

    private static ExpressionPath path(String what, BsonValue value) {
        if (value instanceof BsonString text) {
            return ExpressionPath.parse(text.getValue());
        }
        throw new QueryNotSupportedException("What " + what + " takes has to be a field path such as $price");
    }

    private static String fieldName(String name) {
        boolean isName = !name.isEmpty()
                && name.length() <= MAX_NAME_LENGTH
                && !name.startsWith("$")
                && name.chars().noneMatch(c -> c == '.' || c == 0);
        if (!isName) {
            throw new QuerySyntaxException("Not the name of a field: '" + shorten(name) + "'");
        }
        return name;
    }

    private static void requireFew(BsonDocument document) {
        if (document.size() > MAX_FIELDS) {
            throw new QuerySyntaxException("An aggregate and its _id have at most " + MAX_FIELDS + " fields each");
        }
    }

    private static String shorten(String text) {
        return text.length() <= MAX_NAME_LENGTH ? text : text.substring(0, MAX_NAME_LENGTH) + "…";
    }
}
