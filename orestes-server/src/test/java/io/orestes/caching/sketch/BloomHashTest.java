package io.orestes.caching.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.caching.TestVectors;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class BloomHashTest {

    static Stream<Arguments> hashes() {
        return TestVectors.list("murmur3.json");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("hashes")
    void murmur3_vector_isAsExpected(String name, JsonObject given, Number expect) {
        int hash =
                BloomHash.murmur3(given.getString("text"), given.getLong("seed").intValue());

        assertThat(Integer.toUnsignedLong(hash)).as(name).isEqualTo(expect.longValue());
    }

    static Stream<Arguments> positions() {
        return TestVectors.section("bloom-filter.json", "positions");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("positions")
    void position_vector_isAsExpected(String name, JsonObject given, JsonArray expect) {
        BloomHash hash = BloomHash.of(given.getString("key"));
        int bits = given.getInteger("m");

        Stream<Integer> positions = Stream.iterate(
                        hash.first(bits), position -> BloomHash.next(position, hash.step(bits), bits))
                .limit(given.getInteger("h"));

        assertThat(positions).as(name).isEqualTo(expect.getList());
    }
}
