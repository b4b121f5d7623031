package io.orestes.differential;

import java.util.List;
import java.util.function.Supplier;
import org.bson.BsonArray;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.Decimal128;

/**
 * Documents and aggregates over them. Keys repeat. Field {@code n} contains numbers that mongod,
 * which rounds sums to 106 bits, can add without loss, field {@code i} integers, field {@code x}
 * anything.
 */
final class Aggregates {

    private static final List<Double> DOUBLES = List.of(0.0, -0.0, 0.1, 0.5, 1.5, -2.25, 3.0, 1e-5, 1e15);
    private static final List<Long> LONGS = List.of(0L, 1L, -7L, 1L << 31, 1L << 40);
    private static final List<Long> LARGE_LONGS = List.of((1L << 53) + 1, Long.MAX_VALUE, Long.MIN_VALUE);
    private static final List<String> DECIMALS =
            List.of("0", "-0", "1.10", "0.1", "2.000", "-3E+2", "9007199254740993");
    private static final List<String> KEYS = List.of("$k", "$l", "$k.a", "$x.a", "$none", "$list.a.b");
    private static final List<String> NUMBERS = List.of("$n", "$n", "$i", "$x", "$list.i", "$none");
    private static final List<String> ANYTHING = List.of("$x", "$n", "$k", "$list", "$list.x", "$x.a.b", "$none");

    private final SeededRandom dice;
    private final Values values;

    Aggregates(SeededRandom dice) {
        this.dice = dice;
        this.values = new Values(dice);
    }

    BsonDocument document() {
        BsonDocument document = new BsonDocument();
        put(document, "k", () -> values.value(2));
        put(document, "l", () -> new BsonInt32(dice.below(3)));
        put(document, "n", this::number);
        put(document, "i", this::integer);
        put(document, "x", () -> notANumber(values.value(2)));
        put(document, "list", this::list);
        return document;
    }

    private void put(BsonDocument document, String name, Supplier<BsonValue> value) {
        switch (dice.below(10)) {
            case 0 -> {}
            case 1 -> document.put(name, BsonNull.VALUE);
            default -> document.put(name, value.get());
        }
    }

    private BsonValue integer() {
        return dice.chance(5) ? new BsonInt64(dice.one(LARGE_LONGS)) : new BsonInt32(dice.below(9) - 4);
    }

    private BsonValue number() {
        return switch (dice.below(12)) {
            case 0, 1 -> new BsonInt64(dice.one(LONGS));
            case 2, 3, 4 -> new BsonDouble(dice.one(DOUBLES));
            case 5 -> new BsonDecimal128(Decimal128.parse(dice.one(DECIMALS)));
            case 6 -> dice.chance(20) ? values.number() : new BsonString("1");
            default -> new BsonInt32(dice.chance(95) ? dice.below(100) : Integer.MAX_VALUE);
        };
    }

    private static BsonValue notANumber(BsonValue value) {
        return value.isNumber() ? new BsonInt32(1) : value;
    }

    private BsonArray list() {
        return dice.some(0, 3, () -> dice.chance(80) ? element() : new BsonInt32(dice.below(3)));
    }

    private BsonDocument element() {
        BsonDocument element = new BsonDocument();
        put(element, "i", () -> new BsonInt32(dice.below(3)));
        put(element, "x", () -> values.value(1));
        put(element, "a", () -> new BsonDocument("b", new BsonInt32(dice.below(2))));
        return element;
    }

    BsonDocument group() {
        BsonDocument group = new BsonDocument("_id", key());
        int fields = dice.below(5);
        for (int i = 0; i < fields; i++) {
            group.append("f" + i, accumulator());
        }
        return group;
    }

    private BsonValue key() {
        return switch (dice.below(4)) {
            case 0 -> BsonNull.VALUE;
            case 1 -> new BsonDocument("p", text(KEYS)).append("q", text(KEYS));
            default -> text(KEYS);
        };
    }

    private BsonDocument accumulator() {
        return switch (dice.below(7)) {
            case 0 -> new BsonDocument("$count", new BsonDocument());
            case 1 ->
                new BsonDocument("$sum", dice.one(List.of(new BsonInt32(1), new BsonDouble(0.5), new BsonInt64(2))));
            case 2, 3 -> new BsonDocument(dice.one(List.of("$sum", "$avg")), text(NUMBERS));
            default -> new BsonDocument(dice.one(List.of("$min", "$max")), text(ANYTHING));
        };
    }

    private BsonString text(List<String> of) {
        return new BsonString(dice.one(of));
    }
}
