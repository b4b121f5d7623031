package io.orestes.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonArrayReaderTest {

    @ParameterizedTest
    @ValueSource(strings = {"[]", " [ ] ", "[1]", "[{\"a\": [1, {\"b\": null}]}, \"ü😀\\n\", 2.5, true, []]"})
    void next_anyArray_givesWhatTheReaderGives(String text) {
        JsonArrayReader elements = new JsonArrayReader(stream(text));

        assertThat(rest(elements, 2)).isEqualTo(JsonReader.read(text).asArray());
        assertThat(elements.next(2, 100)).isEmpty();
    }

    @Test
    void next_moreThanABufferOfCharacters_losesNoneAtTheEdges() {
        String text = IntStream.range(0, 20_000)
                .mapToObj(i -> "\"ä😀" + i + "\"")
                .toList()
                .toString();

        assertThat(rest(new JsonArrayReader(stream(text)), 777))
                .isEqualTo(JsonReader.read(text).asArray());
    }

    @Test
    void next_largeElements_endThePage() {
        String large = "\"" + "x".repeat(10_000) + "\"";
        JsonArrayReader elements = new JsonArrayReader(stream("[" + large + "," + large + "," + large + "]"));

        assertThat(elements.next(100, 15_000)).hasSize(2);
        assertThat(elements.next(100, 15_000)).hasSize(1);
        assertThat(elements.next(100, 15_000)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "7",
                "{}",
                "[",
                "[1",
                "[1,]",
                "[1] 2",
                "[1}",
                "[{\"a\": 1, \"a\": 2}]",
                "[\"\\ud800\"]",
                "[100000000000000000001]"
            })
    void requireAll_mistakeAnywhere_isBadRequest(String text) {
        assertThat(codeOf(stream(text))).isEqualTo(ErrorCode.BAD_REQUEST);
    }

    @Test
    void requireAll_bytesThatAreNotUtf8_isBadRequest() {
        assertThat(codeOf(stream(new byte[] {'[', '"', (byte) 0xc3, '(', '"', ']'})))
                .isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(codeOf(stream(new byte[] {'[', '"', (byte) 0xc3}))).isEqualTo(ErrorCode.BAD_REQUEST);
    }

    @ParameterizedTest
    @ValueSource(ints = {99, 100})
    void requireAll_nesting_isLimitedAsByTheReader(int depth) {
        InputStream text = stream("[".repeat(depth + 1) + "]".repeat(depth + 1));

        if (depth < JsonReader.MAX_DEPTH) {
            assertThatCode(() -> JsonArrayReader.requireAll(text)).doesNotThrowAnyException();
        } else {
            assertThat(codeOf(text)).isEqualTo(ErrorCode.BAD_REQUEST);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"x\"", "{\"a\":1}", "[[]]", "12345"})
    void requireAll_elementOfTooManyValues_isTooLarge(String value) {
        int values = JsonArrayReader.MAX_ELEMENT_CHARACTERS / JsonValueBuilder.WEIGHT;
        String fits = "[" + value + "]";
        String element = "[" + (value + ",").repeat(values - 1) + value + "]";

        assertThatCode(() -> JsonArrayReader.requireAll(stream(fits))).doesNotThrowAnyException();
        assertThat(codeOf(stream("[1," + element + "]"))).isEqualTo(ErrorCode.PAYLOAD_TOO_LARGE);
    }

    @Test
    void requireAll_manyElementsThatAreLargeTogether_areAccepted() {
        String large = "\"" + "x".repeat(JsonArrayReader.MAX_ELEMENT_CHARACTERS / 2) + "\"";

        assertThatCode(() -> JsonArrayReader.requireAll(stream("[" + large + "," + large + "," + large + "]")))
                .doesNotThrowAnyException();
    }

    private static InputStream stream(String text) {
        return stream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static InputStream stream(byte[] utf8) {
        return new ByteArrayInputStream(utf8);
    }

    private static List<BsonValue> rest(JsonArrayReader elements, int most) {
        List<BsonValue> all = new ArrayList<>();
        List<BsonValue> page = elements.next(most, 1_000_000);
        while (!page.isEmpty()) {
            all.addAll(page);
            page = elements.next(most, 1_000_000);
        }
        return all;
    }

    private static ErrorCode codeOf(InputStream text) {
        return catchThrowableOfType(ApiException.class, () -> JsonArrayReader.requireAll(text))
                .code();
    }
}
