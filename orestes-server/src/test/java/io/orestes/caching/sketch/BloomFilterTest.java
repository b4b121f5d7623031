package io.orestes.caching.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orestes.caching.TestVectors;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class BloomFilterTest {

    static Stream<Arguments> filters() {
        return TestVectors.section("bloom-filter.json", "filters");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("filters")
    void toJson_vector_isAsExpected(String name, JsonObject given, JsonObject expect) {
        BloomFilter filter = BloomFilter.of(size(given), keys(given));

        assertThat(new JsonObject(filter.toJson())).as(name).isEqualTo(expect);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("filters")
    void contains_readFromVector_findsEveryKey(String name, JsonObject given, JsonObject expect) {
        BloomFilter filter = BloomFilter.fromBase64(size(given), expect.getString("b"));

        assertThat(keys(given)).as(name).allMatch(filter::contains);
        assertThat(filter.toBase64()).isEqualTo(expect.getString("b"));
    }

    static Stream<Arguments> sizes() {
        return TestVectors.section("bloom-filter.json", "sizes");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("sizes")
    void size_vector_isAsExpected(String name, JsonObject given, JsonObject expect) {
        SketchSize size = SketchSize.of(given.getInteger("keys"), given.getDouble("falsePositiveRate"));

        assertThat(size).as(name).isEqualTo(size(expect));
    }

    @Test
    void contains_filterAtCapacity_isWrongForOneInAHundred() {
        SketchSize size = SketchSize.of(10_000, 0.01);
        BloomFilter filter = BloomFilter.of(
                size, IntStream.range(0, 10_000).mapToObj(i -> "/db/Todo/" + i).toList());

        long wrong = IntStream.range(0, 100_000)
                .filter(i -> filter.contains("/db/Person/" + i))
                .count();

        assertThat(wrong).isBetween(800L, 1200L);
    }

    @ParameterizedTest
    @MethodSource
    void full_anySize_containsEverythingAndSetsNoBitBeyondTheEnd(int bits) {
        BloomFilter full = BloomFilter.full(new SketchSize(bits, 3));

        assertThat(full.contains("/db/Todo/a")).isTrue();
        assertThat(full.toBase64()).isEqualTo(base64OfOnes(bits));
    }

    static IntStream full_anySize_containsEverythingAndSetsNoBitBeyondTheEnd() {
        return IntStream.rangeClosed(1, 17);
    }

    @Test
    void fromBase64_moreBytesThanTheFilterHas_isRefused() {
        assertThatThrownBy(() -> BloomFilter.fromBase64(new SketchSize(8, 1), "AAA="))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2 bytes");
    }

    private static String base64OfOnes(int bits) {
        byte[] ones = new byte[(bits + 7) / 8];
        IntStream.range(0, bits).forEach(i -> ones[i / 8] |= (byte) (1 << i % 8));
        return java.util.Base64.getEncoder().encodeToString(ones);
    }

    private static SketchSize size(JsonObject holder) {
        return new SketchSize(holder.getInteger("m"), holder.getInteger("h"));
    }

    private static List<String> keys(JsonObject given) {
        return given.getJsonArray("keys").stream().map(String.class::cast).toList();
    }
}
