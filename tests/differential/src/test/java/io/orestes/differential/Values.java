package io.orestes.differential;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDbPointer;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonJavaScript;
import org.bson.BsonJavaScriptWithScope;
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

/** Values of all types over few fields and few values, so that conditions often hold. */
final class Values {

    private static final List<String> FIELDS = List.of("a", "b", "c", "0", "1");
    private static final List<String> TEXTS =
            List.of("", "a", "ab", "abc", "b", "B", "a\0b", "\uFFFD", "\uD83D\uDE00", "é", "a.b", "$a");
    private static final List<String> PATTERNS = List.of("^a", "^ab", "b$", "a.c", "[ab]+", "^", "^\\.x", "^abc?", "B");
    private static final List<Long> LONGS = List.of(
            0L, 1L, 2L, -1L, 1L << 31, 1L << 53, (1L << 53) + 1, -(1L << 53) - 1, Long.MAX_VALUE, Long.MIN_VALUE);
    private static final List<Double> DOUBLES = List.of(
            0.0, -0.0, 1.0, 1.5, -1.5, 2.0, 0x1p31, 0x1p53, 0x1p53 + 2, 0x1p63, -0x1p63, 1e300, -1e-300, 4.9E-324, 0.1);
    private static final List<String> DECIMALS = List.of(
            "0",
            "-0",
            "0E+10",
            "1",
            "1.0",
            "1.5",
            "-1.5",
            "0.1",
            "2.000",
            "9007199254740993",
            "1E6144",
            "-1E-6176",
            "9223372036854775808",
            "9223372036854775807",
            "-9223372036854775808",
            "9.99E+3");
    private static final List<BsonValue> STRANGE_NUMBERS = List.of(
            new BsonDouble(Double.NaN),
            new BsonDouble(Double.POSITIVE_INFINITY),
            new BsonDouble(Double.NEGATIVE_INFINITY),
            new BsonDecimal128(Decimal128.NaN),
            new BsonDecimal128(Decimal128.POSITIVE_INFINITY),
            new BsonDecimal128(Decimal128.NEGATIVE_INFINITY));

    private static final List<Byte> BYTES = List.of((byte) 0, (byte) 1, (byte) 127, (byte) 128, (byte) 255);
    private static final List<Byte> KINDS = List.of((byte) 0, (byte) 0, (byte) 5, (byte) 128);

    private final SeededRandom dice;

    Values(SeededRandom dice) {
        this.dice = dice;
    }

    String field() {
        return dice.one(FIELDS);
    }

    String path() {
        return dice.below(3) == 0 ? field() + "." + path() : field();
    }

    BsonDocument document(int depth) {
        BsonDocument document = new BsonDocument();
        int size = dice.below(4);
        for (int i = 0; i < size; i++) {
            document.put(field(), value(depth - 1));
        }
        return document;
    }

    BsonValue value(int depth) {
        int kind = dice.below(depth > 0 ? 20 : 13);
        return kind < 13 ? scalar(kind) : kind < 16 ? document(depth) : array(depth);
    }

    private BsonArray array(int depth) {
        return dice.some(0, 3, () -> value(depth - 1));
    }

    private BsonValue scalar(int kind) {
        return switch (kind) {
            case 0, 1, 2 -> new BsonInt32(dice.below(4) - 1);
            case 3, 4 -> number();
            case 5, 6, 7 -> new BsonString(text());
            case 8, 9 -> BsonNull.VALUE;
            case 10 -> BsonBoolean.valueOf(dice.chance(50));
            case 11 -> new BsonDateTime(dice.below(3) - 1);
            default -> oddity();
        };
    }

    String text() {
        return dice.one(TEXTS);
    }

    BsonValue number() {
        return switch (dice.below(5)) {
            case 0 -> new BsonInt32(dice.below(9) - 4);
            case 1 -> new BsonInt64(dice.one(LONGS));
            case 2 -> new BsonDouble(dice.one(DOUBLES));
            case 3 -> new BsonDecimal128(Decimal128.parse(dice.one(DECIMALS)));
            default -> dice.one(STRANGE_NUMBERS);
        };
    }

    private BsonValue oddity() {
        return switch (dice.below(11)) {
            case 0 -> new BsonMinKey();
            case 1 -> new BsonMaxKey();
            case 2 -> new BsonUndefined();
            case 3 -> new BsonSymbol(text());
            case 4 -> binary();
            case 5 -> new BsonObjectId(new ObjectId(dice.below(3), dice.below(3)));
            case 6 -> new BsonTimestamp(dice.one(List.of(1, 2, -1)), dice.below(2));
            case 7 -> new BsonJavaScript(dice.one(List.of("a", "b")));
            case 8 -> new BsonJavaScriptWithScope(dice.one(List.of("a", "b")), document(1));
            case 9 -> new BsonDbPointer(dice.one(List.of("a", "ab")), new ObjectId(dice.below(2), 0));
            default -> regex();
        };
    }

    BsonBinary binary() {
        byte[] bytes = new byte[dice.below(4)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = dice.one(BYTES);
        }
        return new BsonBinary(dice.one(KINDS), bytes);
    }

    BsonRegularExpression regex() {
        return new BsonRegularExpression(dice.one(PATTERNS), dice.one(List.of("", "", "i", "m", "s", "x", "imsx")));
    }
}
