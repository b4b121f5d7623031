package io.orestes.differential;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Formulas of {@code $expr}. Fields keep to one type, because mongod fails as soon as it cannot
 * compute with one document; field {@code x} contains anything and is only compared.
 */
final class Formulas implements Family {

    private static final int DEPTH = 3;

    private final SeededRandom dice;
    private final Values values;

    Formulas(SeededRandom dice) {
        this.dice = dice;
        this.values = new Values(dice);
    }

    @Override
    public BsonDocument document() {
        BsonDocument document = new BsonDocument();
        put(document, "i", new BsonInt32(dice.below(9) - 4));
        put(document, "l", new BsonInt64(dice.chance(80) ? dice.below(20) - 10 : dice.anyLong()));
        put(document, "d", new BsonDouble(dice.one(List.of(0.0, -0.0, 0.5, 1.5, 2.5, -1.5, 3.0, 0.1, 1e18, 1e300))));
        put(document, "s", new BsonString(values.text()));
        put(document, "t", new BsonString(values.text()));
        put(document, "date", new BsonDateTime(dice.below(5) - 2));
        put(document, "list", dice.some(0, 3, () -> values.value(1)));
        put(document, "x", values.value(2));
        return document;
    }

    private void put(BsonDocument document, String name, BsonValue value) {
        switch (dice.below(12)) {
            case 0 -> {}
            case 1 -> document.put(name, BsonNull.VALUE);
            default -> document.put(name, value);
        }
    }

    @Override
    public BsonDocument filter() {
        BsonDocument expr = new BsonDocument("$expr", truth(DEPTH));
        return switch (dice.below(8)) {
            case 0 -> new BsonDocument("$nor", new BsonArray(List.of(expr)));
            case 1 -> expr.append("i", new BsonDocument("$gt", new BsonInt32(0)));
            case 2 -> new BsonDocument("$or", dice.some(2, 2, () -> new BsonDocument("$expr", truth(2))));
            default -> expr;
        };
    }

    private BsonValue truth(int depth) {
        if (depth == 0) {
            return dice.chance(50) ? any(0) : BsonBoolean.valueOf(dice.chance(50));
        }
        return switch (dice.below(12)) {
            case 0 -> call(dice.one(List.of("$and", "$or")), dice.some(0, 3, () -> truth(depth - 1)));
            case 1 -> call("$not", dice.some(1, 1, () -> truth(depth - 1)));
            case 2 -> call("$isArray", dice.some(1, 1, () -> any(depth - 1)));
            case 3 -> call("$in", new BsonArray(List.of(any(depth - 1), dice.some(0, 3, () -> any(0)))));
            case 4 -> match();
            case 5 -> number(depth - 1);
            default -> comparison(depth);
        };
    }

    private BsonValue comparison(int depth) {
        String operator = dice.one(List.of("$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$cmp"));
        int arguments = dice.chance(95) ? 2 : dice.below(4);
        return switch (dice.below(3)) {
            case 0 -> call(operator, dice.some(arguments, arguments, () -> number(depth - 1)));
            case 1 -> call(operator, dice.some(arguments, arguments, () -> text(depth - 1)));
            default -> call(operator, dice.some(arguments, arguments, () -> any(depth - 1)));
        };
    }

    private BsonValue match() {
        BsonDocument match = new BsonDocument("input", text(1))
                .append("regex", dice.chance(50) ? new BsonString("^a") : new BsonRegularExpression("B", "i"));
        return call("$regexMatch", dice.chance(20) ? match.append("options", new BsonString("s")) : match);
    }

    private static BsonDocument call(String operator, BsonValue arguments) {
        return new BsonDocument(operator, arguments);
    }

    private BsonValue any(int depth) {
        return switch (dice.below(depth > 0 ? 8 : 4)) {
            case 0 -> new BsonString("$x");
            case 1 -> field("$x.a", "$x.b.c", "$list.a", "$list", "$x.0", "$$ROOT.i", "$$CURRENT.x", "$no");
            case 2 -> call("$literal", values.value(2));
            case 3 -> new BsonInt32(dice.below(3));
            case 4 -> call("$ifNull", dice.some(2, 3, () -> any(depth - 1)));
            case 5 -> new BsonDocument("a", any(depth - 1)).append("b", any(depth - 1));
            case 6 -> dice.some(0, 2, () -> any(depth - 1));
            default -> call("$cond", conditional(depth));
        };
    }

    private BsonValue conditional(int depth) {
        return dice.chance(50)
                ? new BsonArray(List.of(truth(depth - 1), any(depth - 1), any(depth - 1)))
                : new BsonDocument("if", truth(depth - 1))
                        .append("then", any(0))
                        .append("else", any(0));
    }

    private BsonValue field(String... names) {
        return new BsonString(dice.one(List.of(names)));
    }

    private BsonValue number(int depth) {
        if (depth <= 0) {
            return switch (dice.below(5)) {
                case 0 -> new BsonInt32(dice.below(5) - 2);
                case 1 -> new BsonDouble(dice.one(List.of(0.5, 2.0, -3.5)));
                default -> field("$i", "$l", "$d", "$no");
            };
        }
        return switch (dice.below(12)) {
            case 0, 1 -> call(dice.one(List.of("$add", "$multiply")), dice.some(0, 3, () -> number(depth - 1)));
            case 2 -> call("$subtract", dice.some(2, 2, () -> number(depth - 1)));
            case 3 ->
                call(
                        dice.one(List.of("$divide", "$mod")),
                        new BsonArray(List.of(number(depth - 1), new BsonInt32(dice.below(4) + 1))));
            case 4 ->
                call(
                        "$mod",
                        new BsonArray(List.of(number(depth - 1), new BsonDouble(dice.one(List.of(0.5, 2.0, 1e300))))));
            case 5, 6 -> call(dice.one(List.of("$abs", "$ceil", "$floor", "$round", "$trunc")), number(depth - 1));
            case 7 -> call("$strLenCP", call("$toLower", text(depth - 1)));
            case 8 -> call("$strLenBytes", call("$toUpper", text(depth - 1)));
            case 9 -> call("$strcasecmp", dice.some(2, 2, () -> text(depth - 1)));
            case 10 -> call("$indexOfCP", dice.some(2, 2, () -> call("$toLower", text(depth - 1))));
            default -> call("$sqrt", call("$abs", number(depth - 1)));
        };
    }

    private BsonValue text(int depth) {
        if (depth <= 0) {
            return dice.chance(70) ? field("$s", "$t", "$no") : call("$literal", new BsonString(values.text()));
        }
        return switch (dice.below(7)) {
            case 0 -> call("$concat", dice.some(0, 3, () -> text(depth - 1)));
            case 1 -> call(dice.one(List.of("$toLower", "$toUpper")), text(depth - 1));
            case 2 ->
                call(
                        "$substrCP",
                        new BsonArray(
                                List.of(text(depth - 1), new BsonInt32(dice.below(4)), new BsonInt32(dice.below(4)))));
            case 3 -> call("$type", any(depth - 1));
            case 4 ->
                call(
                        "$arrayElemAt",
                        new BsonArray(List.of(
                                call("$split", new BsonArray(List.of(text(depth - 1), new BsonString("b")))),
                                new BsonInt32(dice.below(5) - 2))));
            case 5 -> call("$ifNull", dice.some(2, 2, () -> text(depth - 1)));
            default -> text(0);
        };
    }
}
