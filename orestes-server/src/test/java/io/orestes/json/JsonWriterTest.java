package io.orestes.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.LongStream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class JsonWriterTest {

    @Test
    void write_nestedValue_isCompactJson() {
        BsonArray array = new BsonArray();
        array.add(new BsonInt32(1));
        array.add(new BsonInt64(Long.MIN_VALUE));
        array.add(BsonNull.VALUE);
        array.add(new BsonArray());
        BsonDocument value = new BsonDocument("a", array)
                .append("b", new BsonDocument())
                .append("c", BsonBoolean.TRUE)
                .append("d", new BsonDateTime(1614834367080L));

        assertThat(JsonWriter.print(value))
                .isEqualTo("{\"a\":[1,-9223372036854775808,null,[]],\"b\":{},\"c\":true,"
                        + "\"d\":\"2021-03-04T05:06:07.08Z\"}");
    }

    @ParameterizedTest
    @CsvSource({
        "1.0, 1", "-0.0, 0", "0.1, 0.1", "-2.5, -2.5", "1e21, 1E21", "9007199254740991, 9007199254740991",
        "1.5e300, 1.5E300", "4.9e-324, 4.9E-324", "2e23, 2E23", "NaN, null", "Infinity, null", "-Infinity, null"
    })
    void write_double_isShortestNumber(double value, String expected) {
        assertThat(JsonWriter.print(new BsonDouble(value))).isEqualTo(expected);
    }

    @Test
    void write_string_escapesWhatJsonForbidsAndNothingElse() {
        String text = "\"\\/\b\f\n\r\t\0\u001f\u007fäß€😀\u2028";

        String json = JsonWriter.print(new BsonString(text));

        assertThat(json).isEqualTo("\"\\\"\\\\/\\u0008\\u000c\\n\\r\\t\\u0000\\u001f\\u007fäß€😀\u2028\"");
        assertThat(JsonReader.read(json)).isEqualTo(new BsonString(text));
    }

    @Test
    void write_unpairedSurrogate_staysUtf8() {
        byte[] json = JsonWriter.write(new BsonString("a\ud800b")).getBytes();

        assertThat(new String(json, StandardCharsets.UTF_8)).isEqualTo("\"a?b\"");
    }

    @Test
    void write_typeThatJsonDoesNotKnow_isAProgrammingError() {
        BsonDocument value = new BsonDocument("a", new BsonObjectId(new ObjectId()));

        assertThatThrownBy(() -> JsonWriter.print(value)).isInstanceOf(IllegalArgumentException.class);
    }

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void write_randomValue_readsBackEqual(long seed) {
        BsonValue value = random(new Random(seed), 5);

        assertThat(JsonReader.read(JsonWriter.write(value))).isEqualTo(value);
    }

    private static BsonValue random(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 7 : 5)) {
            case 0 -> new BsonInt64(random.nextLong() >> random.nextInt(64));
            // a half keeps it from being an integer, which would read back as one
            case 1 -> new BsonDouble(random.nextInt() + 0.5 + random.nextGaussian() * 1e-6);
            case 2 -> new BsonString(text(random));
            case 3 -> BsonBoolean.valueOf(random.nextBoolean());
            case 4 -> BsonNull.VALUE;
            case 5 -> {
                BsonArray array = new BsonArray();
                random.ints(random.nextInt(5)).forEach(i -> array.add(random(random, depth - 1)));
                yield array;
            }
            default -> {
                BsonDocument document = new BsonDocument();
                random.ints(random.nextInt(5))
                        .forEach(i -> document.put(text(random).replace("\0", ""), random(random, depth - 1)));
                yield document;
            }
        };
    }

    private static String text(Random random) {
        return random.ints(random.nextInt(20), 0, 0x11000)
                .map(point -> point >= 0xd800 && point <= 0xdfff ? 'x' : point)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
