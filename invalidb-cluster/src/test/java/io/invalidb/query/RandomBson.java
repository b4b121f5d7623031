package io.invalidb.query;

import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonSymbol;
import org.bson.BsonTimestamp;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;

/**
 * Random values, documents and filters over few fields and few values, so that filters often match.
 */
public final class RandomBson {

    private static final List<String> FIELDS = List.of("a", "b", "c", "0", "1");
    private static final List<String> TEXTS = List.of("", "a", "ab", "abc", "b", "B", "\uFFFD", "\uD83D\uDE00", "é");
    private static final List<String> PATTERNS = List.of("^a", "^ab", "b$", "a.c", "[ab]+", "^", "^\\.x", "^abc?", "B");
    private static final long[] LONGS = {0, 1, 2, -1, 1L << 53, (1L << 53) + 1, Long.MAX_VALUE, Long.MIN_VALUE};
    private static final double[] DOUBLES = {0, -0.0, 1, 1.5, 2, 0x1p53, 0x1p63, -0x1p63, 1e300, -1e-300, 0.1};
    private static final List<String> DECIMALS = List.of(
            "0", "-0", "1", "1.0", "1.5", "0.1", "9007199254740993", "1E6144", "-1E-6176", "9223372036854775808");

    private final Random random;

    public RandomBson(long seed) {
        this.random = new Random(seed);
    }

    public boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    public BsonDocument document() {
        return document(3);
    }

    private BsonDocument document(int depth) {
        BsonDocument document = new BsonDocument();
        IntStream.range(0, random.nextInt(4)).forEach(i -> document.put(one(FIELDS), value(depth - 1)));
        return document;
    }

    public BsonValue value() {
        return value(2);
    }

    private BsonValue value(int depth) {
        int kind = random.nextInt(depth > 0 ? 20 : 13);
        return kind < 13 ? scalar(kind) : kind < 16 ? document(depth) : array(depth);
    }

    private BsonArray array(int depth) {
        return new BsonArray(IntStream.range(0, random.nextInt(4))
                .mapToObj(i -> value(depth - 1))
                .toList());
    }

    private BsonValue scalar(int kind) {
        return switch (kind) {
            case 0, 1, 2 -> new BsonInt32(random.nextInt(4) - 1);
            case 3, 4 -> number();
            case 5, 6, 7 -> new BsonString(one(TEXTS));
            case 8, 9 -> BsonNull.VALUE;
            case 10 -> BsonBoolean.valueOf(random.nextBoolean());
            case 11 -> new BsonDateTime(random.nextInt(3) - 1);
            default -> oddity();
        };
    }

    private BsonValue number() {
        return switch (random.nextInt(5)) {
            case 0 -> new BsonInt64(LONGS[random.nextInt(LONGS.length)]);
            case 1 -> new BsonDouble(DOUBLES[random.nextInt(DOUBLES.length)]);
            case 2 -> new BsonDecimal128(Decimal128.parse(one(DECIMALS)));
            case 3 -> one(List.<BsonValue>of(new BsonDouble(Double.NaN), new BsonDecimal128(Decimal128.NaN)));
            default ->
                one(List.<BsonValue>of(
                        new BsonDouble(Double.POSITIVE_INFINITY), new BsonDecimal128(Decimal128.NEGATIVE_INFINITY)));
        };
    }

    private BsonValue oddity() {
        return switch (random.nextInt(8)) {
            case 0 -> new BsonMinKey();
            case 1 -> new BsonMaxKey();
            case 2 -> new BsonUndefined();
            case 3 -> new BsonSymbol(one(TEXTS));
            case 4 -> new BsonBinary((byte) random.nextInt(2), new byte[random.nextInt(3)]);
            case 5 -> new BsonObjectId(new ObjectId(random.nextInt(3), random.nextInt(3)));
            case 6 -> new BsonTimestamp(random.nextInt(), random.nextInt(2));
            default -> regex();
        };
    }

    BsonRegularExpression regex() {
        return new BsonRegularExpression(one(PATTERNS), one(List.of("", "", "i", "m", "s", "x", "imsx")));
    }

    public String path() {
        return random.nextInt(3) == 0 ? one(FIELDS) + "." + path() : one(FIELDS);
    }

    /** Returns a filter that parses. */
    public BsonDocument filter() {
        return filter(3);
    }

    private BsonDocument filter(int depth) {
        BsonDocument filter = new BsonDocument();
        IntStream.range(0, random.nextInt(3) + (depth == 3 ? 1 : 0)).forEach(i -> addTo(filter, depth));
        return filter;
    }

    private void addTo(BsonDocument filter, int depth) {
        if (depth > 0 && chance(30)) {
            filter.put(one(List.of("$and", "$or", "$nor")), some(() -> filter(depth - 1)));
        } else {
            filter.put(path(), chance(25) ? operand() : operators(depth));
        }
    }

    private BsonArray some(Supplier<? extends BsonValue> element) {
        BsonArray array = new BsonArray();
        IntStream.rangeClosed(0, random.nextInt(3)).forEach(i -> array.add(element.get()));
        return array;
    }

    /** Returns a value that is no regular expression: several operators refuse these. */
    private BsonValue operand() {
        BsonValue value = defined();
        return value.isRegularExpression() ? BsonNull.VALUE : value;
    }

    /** Returns a defined value, since no operator compares to undefined. */
    private BsonValue defined() {
        BsonValue value = value(2);
        return value instanceof BsonUndefined ? BsonNull.VALUE : value;
    }

    private BsonDocument operators(int depth) {
        BsonDocument operators = new BsonDocument();
        IntStream.rangeClosed(0, random.nextInt(3)).forEach(i -> putOperator(operators, depth));
        return operators;
    }

    private void putOperator(BsonDocument operators, int depth) {
        switch (random.nextInt(depth > 0 ? 14 : 11)) {
            case 0 -> operators.put("$eq", defined());
            case 1 -> operators.put("$ne", operand());
            case 2, 3 -> operators.put(one(List.of("$gt", "$gte", "$lt", "$lte")), operand());
            case 4 -> operators.put(one(List.of("$in", "$nin")), chance(10) ? new BsonArray() : some(this::defined));
            case 5 -> operators.put("$exists", BsonBoolean.valueOf(random.nextBoolean()));
            case 6 -> operators.put("$type", some(() -> new BsonInt32(random.nextInt(19) + 1)));
            case 7 -> operators.put("$regex", regex());
            case 8 -> operators.put("$size", new BsonInt32(random.nextInt(3)));
            case 9 -> operators.put("$mod", new BsonArray(List.of(new BsonInt32(2), new BsonInt32(random.nextInt(2)))));
            case 10 -> operators.put("$all", chance(10) ? new BsonArray() : some(this::defined));
            case 11 -> operators.put("$not", operators(depth - 1));
            case 12 -> operators.put("$elemMatch", chance(50) ? operators(depth - 1) : filter(depth - 1));
            default -> operators.put("$all", some(() -> new BsonDocument("$elemMatch", filter(depth - 1))));
        }
    }

    /** Returns any value: mostly not a filter. */
    public BsonDocument garbage(int depth) {
        BsonDocument garbage = new BsonDocument();
        IntStream.range(0, random.nextInt(4)).forEach(i -> garbage.put(garbageName(), garbageValue(depth)));
        return garbage;
    }

    private BsonValue garbageValue(int depth) {
        if (depth == 0 || chance(30)) {
            return chance(20) ? new BsonString(garbagePattern()) : value();
        }
        return chance(50) ? garbage(depth - 1) : some(() -> garbageValue(depth - 1));
    }

    private String garbageName() {
        return one(List.of(
                "$and",
                "$or",
                "$nor",
                "$not",
                "$eq",
                "$ne",
                "$gt",
                "$lte",
                "$in",
                "$nin",
                "$exists",
                "$regex",
                "$options",
                "$size",
                "$all",
                "$elemMatch",
                "$mod",
                "$type",
                "$where",
                "$comment",
                "$ref",
                "$id",
                "$",
                "",
                "a",
                "a.b",
                "a.0",
                ".",
                "a..b",
                "a.",
                "x\0y",
                "$expr",
                "0.0.0.0.0.0.0.0.0"));
    }

    private String garbagePattern() {
        String characters = "ab^$.*+?{}[]()|\\1,:=!<>-QEpPx # \n";
        StringBuilder pattern = new StringBuilder();
        IntStream.range(0, random.nextInt(20))
                .forEach(i -> pattern.append(characters.charAt(random.nextInt(characters.length()))));
        return pattern.toString();
    }
}
