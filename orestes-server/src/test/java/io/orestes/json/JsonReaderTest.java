package io.orestes.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {

    @Test
    void read_everyKindOfValue_becomesBson() {
        BsonValue value = JsonReader.read("{\"a\":[1,-2.5,true,false,null,\"ü€😀\\u00e4\\n\"],\"\":{\".$\":{}}}");

        BsonArray array = new BsonArray();
        array.add(new BsonInt64(1));
        array.add(new BsonDouble(-2.5));
        array.add(BsonBoolean.TRUE);
        array.add(BsonBoolean.FALSE);
        array.add(BsonNull.VALUE);
        array.add(new BsonString("ü€😀ä\n"));
        assertThat(value)
                .isEqualTo(new BsonDocument("a", array).append("", new BsonDocument(".$", new BsonDocument())));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0, 0",
        "9223372036854775807, 9223372036854775807",
        "-9223372036854775808, -9223372036854775808"
    })
    void read_integersOf64Bits_areInt64(String literal, long expected) {
        assertThat(JsonReader.read(literal)).isEqualTo(new BsonInt64(expected));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.0",
                "1e3",
                "-1.5E-7",
                "1.7976931348623157e308",
                "4.9e-324",
                "1e-400",
                "0.1",
                "9223372036854775808.0"
            })
    void read_fractionsAndExponents_areDoubles(String literal) {
        assertThat(JsonReader.read(literal)).isEqualTo(new BsonDouble(Double.parseDouble(literal)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"9223372036854776000", "-9223372036854776000", "18446744073709552000", "100000000000000000000"})
    void read_integerLiteralsThatJavaScriptPrintsForDoubles_areDoubles(String literal) {
        assertThat(JsonReader.read(literal)).isEqualTo(new BsonDouble(Double.parseDouble(literal)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9223372036854775808",
                "-9223372036854775809",
                "18446744073709551616",
                "123456789012345678901234567890",
                "1e400",
                "-1e309"
            })
    void read_numbersBeyond64Bit_areRefused(String literal) {
        ApiException refusal = refusal(("[" + literal + "]").getBytes(StandardCharsets.UTF_8));

        assertThat(refusal.message()).isEqualTo("Malformed JSON at line 1, column 2: number beyond 64 bit: " + literal);
    }

    static Stream<String> malformed() {
        return Stream.of(
                "",
                " ",
                "{",
                "[",
                "[1,]",
                "{\"a\":1,}",
                "{\"a\"}",
                "{a:1}",
                "{'a':1}",
                "[1 2]",
                "nul",
                "NaN",
                "Infinity",
                "+1",
                "01",
                ".5",
                "1.",
                "0x10",
                "\"a",
                "\"\t\"",
                "\"\\x\"",
                "\"\\u12\"",
                "/* c */ 1",
                "// c\n1",
                "{}{}",
                "1 1",
                "{} ]",
                "]",
                "}",
                "\ufeff{}",
                "{\"a\":1,\"a\":2}",
                "{\"a\":{\"b\":null,\"b\":null}}",
                "{\"\\u0000\":1}",
                "{\"a\\u0000b\":1}",
                "\"\\ud800\"",
                "\"\\udc00\"",
                "\"\\ud800\\ud800\"",
                "{\"\\ud83d\":1}",
                "1".repeat(5000),
                "1." + "1".repeat(5000));
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void read_malformedText_isBadRequestAndRevealsNothingOfTheParser(String text) {
        ApiException refusal = refusal(text.getBytes(StandardCharsets.UTF_8));

        assertThat(refusal.message())
                .startsWith("Malformed JSON at line ")
                .doesNotContain("jackson", "Source", "Token");
    }

    static Stream<byte[]> notUtf8() {
        return Stream.of(
                new byte[] {'"', (byte) 0xff, '"'},
                new byte[] {'"', (byte) 0xc3, '"'},
                new byte[] {'"', (byte) 0xc0, (byte) 0x80, '"'},
                new byte[] {'"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"'},
                new byte[] {'"', (byte) 0xf4, (byte) 0x90, (byte) 0x80, (byte) 0x80, '"'},
                "\"ü\"".getBytes(StandardCharsets.ISO_8859_1),
                "{\"a\":1}".getBytes(StandardCharsets.UTF_16));
    }

    @ParameterizedTest
    @MethodSource("notUtf8")
    void read_bytesThatAreNotUtf8_areRefused(byte[] bytes) {
        assertThat(refusal(bytes).message()).isEqualTo("The JSON text is not UTF-8");
    }

    @Test
    void read_mistakeInALaterLine_namesThePlace() {
        ApiException refusal = refusal("{\n  \"a\": 1,\n  \"a\": 2\n}".getBytes(StandardCharsets.UTF_8));

        assertThat(refusal.message()).isEqualTo("Malformed JSON at line 3, column 8: duplicate member \"a\"");
    }

    @Test
    void read_hundredLevels_isAccepted() {
        assertThat(JsonReader.read("[".repeat(100) + "]".repeat(100)).isArray()).isTrue();
        assertThat(JsonReader.read("{\"a\":".repeat(100) + "1" + "}".repeat(100))
                        .isDocument())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {101, 102, 100_000})
    void read_moreThanHundredLevels_isRefused(int levels) {
        assertThat(refusal("[".repeat(levels).getBytes(StandardCharsets.UTF_8)).message())
                .contains("nested deeper than 100 levels");
        assertThat(refusal("{\"a\":".repeat(levels).getBytes(StandardCharsets.UTF_8))
                        .message())
                .contains("nested deeper than 100 levels");
    }

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void read_randomBytes_isAValueOrBadRequest(long seed) {
        Random random = new Random(seed);

        for (int i = 0; i < 50; i++) {
            byte[] bytes = random.nextBoolean() ? noise(random) : damaged(random);
            try {
                assertThat(JsonReader.read(bytes)).isNotNull();
            } catch (ApiException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.BAD_REQUEST);
            }
        }
    }

    private static byte[] noise(Random random) {
        byte[] bytes = new byte[random.nextInt(40)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] damaged(Random random) {
        byte[] bytes = "{\"a\":[1,2.5e7,\"x\\u00e4\\ud83d\\ude00\"],\"b\":{\"c\":null,\"d\":true}}"
                .getBytes(StandardCharsets.UTF_8);
        for (int i = random.nextInt(4); i >= 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(random.nextBoolean() ? 256 : 128);
        }
        return bytes;
    }

    private static ApiException refusal(byte[] text) {
        ApiException refusal = catchThrowableOfType(ApiException.class, () -> JsonReader.read(text));
        assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        return refusal;
    }
}
