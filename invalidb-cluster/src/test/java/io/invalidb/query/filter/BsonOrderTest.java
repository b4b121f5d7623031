package io.invalidb.query.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.RandomBson;
import io.invalidb.query.value.BsonOrder;
import io.invalidb.query.value.CanonicalValue;
import io.invalidb.query.value.NumberOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNumber;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class BsonOrderTest {

    private static final BsonOrder ORDER = BsonOrder.INSTANCE;

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    /** Ascending, distinct values, after the manual's "Comparison/Sort Order". */
    private static final List<BsonValue> LADDER = BsonArray.parse(
            """
            [{"$minKey": 1}, null,
             {"$numberDouble": "NaN"}, {"$numberDouble": "-Infinity"}, {"$numberDecimal": "-1E6000"},
             {"$numberLong": "-9223372036854775808"}, -1, 0, {"$numberDecimal": "0.1"}, {"$numberDouble": "0.1"}, 1,
             {"$numberDouble": "9007199254740992"}, {"$numberLong": "9007199254740993"},
             {"$numberLong": "9223372036854775807"}, {"$numberDouble": "9223372036854775808"},
             {"$numberDecimal": "1E6000"}, {"$numberDouble": "Infinity"},
             "", "a", "aa", "b", "\\uFFFD", "\\uD83D\\uDE00",
             {}, {"a": 1}, {"a": 1, "b": 1}, {"a": 2}, {"b": 1}, {"a": "x"}, {"a": {}},
             [], [1], [1, 1], [2], ["a"], [[]],
             {"$binary": {"base64": "", "subType": "00"}}, {"$binary": {"base64": "/w==", "subType": "00"}},
             {"$binary": {"base64": "AA==", "subType": "01"}}, {"$binary": {"base64": "AAA=", "subType": "00"}},
             {"$oid": "000000000000000000000001"}, {"$oid": "f00000000000000000000000"},
             false, true,
             {"$date": {"$numberLong": "-1"}}, {"$date": {"$numberLong": "0"}},
             {"$timestamp": {"t": 1, "i": 0}}, {"$timestamp": {"t": 4294967295, "i": 0}},
             {"$regularExpression": {"pattern": "a", "options": ""}},
             {"$regularExpression": {"pattern": "a", "options": "i"}},
             {"$dbPointer": {"$ref": "a", "$id": {"$oid": "000000000000000000000001"}}},
             {"$code": "a"}, {"$code": "a", "$scope": {}}, {"$maxKey": 1}]
            """);

    @Test
    void compare_ladderShuffled_isSortedAgain() {
        List<BsonValue> shuffled = new ArrayList<>(LADDER);
        Collections.shuffle(shuffled, new Random(1));

        shuffled.sort(ORDER);

        assertThat(shuffled).isEqualTo(LADDER);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void compare_anyValues_isATotalOrderAndTheOracles(long seed) {
        RandomBson random = new RandomBson(seed);
        List<BsonValue> values = Stream.generate(random::value).limit(12).toList();

        for (BsonValue a : values) {
            for (BsonValue b : values) {
                assertThat(sign(a, b)).isEqualTo(-sign(b, a));
                assertThat(sign(a, b)).isEqualTo(Integer.signum(FilterOracle.compare(a, b)));
                values.forEach(c -> assertTransitive(a, b, c));
            }
        }
    }

    private static void assertTransitive(BsonValue a, BsonValue b, BsonValue c) {
        if (sign(a, b) <= 0 && sign(b, c) <= 0) {
            assertThat(sign(a, c)).as("%s, %s, %s", a, b, c).isEqualTo(Math.min(sign(a, b), sign(b, c)));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void compare_canonicalValue_isEqualToItsOrigin(long seed) {
        RandomBson random = new RandomBson(seed);
        List<BsonValue> values = Stream.generate(random::value).limit(12).toList();

        for (BsonValue a : values) {
            assertThat(sign(CanonicalValue.of(a), a)).isZero();
            values.forEach(b -> assertThat(CanonicalValue.of(a).equals(CanonicalValue.of(b)))
                    .as("%s, %s", a, b)
                    .isEqualTo(sign(a, b) == 0));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void compare_oneBracket_agreesWithFilters(long seed) {
        RandomBson random = new RandomBson(seed);
        BsonValue operand = plain(random);
        BsonValue value = plain(random);
        int sign = sign(value, operand);

        assertThat(matches("$gt", operand, value)).isEqualTo(sign > 0);
        assertThat(matches("$gte", operand, value)).isEqualTo(sign >= 0);
        assertThat(matches("$lt", operand, value)).isEqualTo(sign < 0);
        assertThat(matches("$lte", operand, value)).isEqualTo(sign <= 0);
        assertThat(matches("$eq", operand, value)).isEqualTo(sign == 0);
    }

    @Test
    void compare_numbersOfFourTypes_areEqualByValue() {
        List<BsonValue> zeros = BsonArray.parse(
                """
                [0, {"$numberLong": "0"}, {"$numberDouble": "-0.0"}, {"$numberDecimal": "-0E10"}]""");

        assertThat(zeros).allMatch(zero -> ORDER.compare(zero, new BsonInt32(0)) == 0);
    }

    private static int sign(BsonValue one, BsonValue other) {
        return Integer.signum(ORDER.compare(one, other));
    }

    private static boolean matches(String operator, BsonValue operand, BsonValue value) {
        return Filter.parse(new BsonDocument("a", new BsonDocument(operator, operand)))
                .matches(new BsonDocument("a", value));
    }

    /** Returns a number, not NaN, or a number made of a boolean. */
    private static BsonValue plain(RandomBson random) {
        BsonValue value = random.value();
        while (!(value instanceof BsonNumber) || NumberOrder.isNaN(value)) {
            value = value instanceof BsonBoolean bool ? new BsonInt32(bool.getValue() ? 1 : 0) : random.value();
        }
        return value;
    }
}
