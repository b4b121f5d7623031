package io.orestes.differential;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Comparisons, paths, arrays, junctions and types: the core of the language. */
final class Fields implements Family {

    private static final int DEPTH = 3;

    private static final List<String> TYPES = List.of(
            "double",
            "string",
            "object",
            "array",
            "binData",
            "undefined",
            "objectId",
            "bool",
            "date",
            "null",
            "regex",
            "dbPointer",
            "javascript",
            "symbol",
            "javascriptWithScope",
            "int",
            "timestamp",
            "long",
            "decimal",
            "minKey",
            "maxKey",
            "number");

    private final SeededRandom dice;
    private final Values values;

    Fields(SeededRandom dice) {
        this.dice = dice;
        this.values = new Values(dice);
    }

    @Override
    public BsonDocument document() {
        return values.document(DEPTH);
    }

    @Override
    public BsonDocument filter() {
        return filter(DEPTH);
    }

    private BsonDocument filter(int depth) {
        BsonDocument filter = new BsonDocument();
        int size = dice.below(3) + (depth == DEPTH ? 1 : 0);
        for (int i = 0; i < size; i++) {
            addTo(filter, depth);
        }
        return filter;
    }

    private void addTo(BsonDocument filter, int depth) {
        if (depth > 0 && dice.chance(30)) {
            filter.put(dice.one(List.of("$and", "$or", "$nor")), dice.some(1, 3, () -> filter(depth - 1)));
        } else if (dice.chance(2)) {
            filter.put("$comment", values.value(1));
        } else {
            filter.put(values.path(), dice.chance(25) ? values.value(2) : operators(depth));
        }
    }

    private BsonDocument operators(int depth) {
        BsonDocument operators = new BsonDocument();
        int size = dice.below(3) + 1;
        for (int i = 0; i < size; i++) {
            putOperator(operators, depth);
        }
        return operators;
    }

    private void putOperator(BsonDocument operators, int depth) {
        switch (dice.below(depth > 0 ? 15 : 11)) {
            case 0 -> operators.put("$eq", values.value(2));
            case 1 -> operators.put("$ne", values.value(2));
            case 2, 3 -> operators.put(dice.one(List.of("$gt", "$gte", "$lt", "$lte")), values.value(2));
            case 4 -> operators.put(dice.one(List.of("$in", "$nin")), dice.some(0, 4, () -> values.value(2)));
            case 5 ->
                operators.put("$exists", dice.chance(80) ? BsonBoolean.valueOf(dice.chance(50)) : values.value(1));
            case 6 -> operators.put("$type", dice.chance(50) ? type() : dice.some(1, 3, this::type));
            case 7 -> operators.put("$regex", values.regex());
            case 8 -> operators.put("$size", dice.chance(80) ? new BsonInt32(dice.below(3)) : values.number());
            case 9 -> operators.put("$mod", modulo());
            case 10 -> operators.put("$all", dice.some(0, 3, () -> values.value(2)));
            case 11 -> operators.put("$not", dice.chance(80) ? operators(depth - 1) : values.regex());
            case 12, 13 -> operators.put("$elemMatch", dice.chance(50) ? operators(depth - 1) : filter(depth - 1));
            default -> operators.put("$all", dice.some(1, 2, () -> nested(depth)));
        }
    }

    private BsonArray modulo() {
        return dice.chance(70)
                ? new BsonArray(List.of(new BsonInt32(dice.below(5) - 2), new BsonInt32(dice.below(3) - 1)))
                : dice.some(2, 2, values::number);
    }

    private BsonDocument nested(int depth) {
        return new BsonDocument("$elemMatch", dice.chance(50) ? operators(depth - 1) : filter(depth - 1));
    }

    private BsonValue type() {
        return switch (dice.below(10)) {
            case 0 -> values.number();
            case 1, 2, 3 -> new BsonInt32(dice.below(22) - 1);
            default -> new BsonString(dice.one(TYPES));
        };
    }
}
