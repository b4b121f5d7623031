package io.invalidb.query.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.RandomBson;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.bson.BsonDateTime;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link OrderKey} and {@link EqualityKey} are consistent with {@link BsonOrder}. */
final class ValueKeysTest {

    private static final int VALUES = 60;

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void keys_ofAnyValues_areInTheirOrderAndEqualWhereTheyAre(long seed) {
        List<BsonValue> values =
                Stream.generate(new RandomBson(seed)::value).limit(VALUES).toList();
        for (BsonValue one : values) {
            for (BsonValue other : values) {
                int comparison = BsonOrder.INSTANCE.compare(one, other);

                assertThat(OrderKey.of(one) <= OrderKey.of(other))
                        .as("%s, %s", one, other)
                        .isIn(true, comparison <= 0);
                assertThat(EqualityKey.of(one) == EqualityKey.of(other))
                        .as("%s, %s", one, other)
                        .isIn(true, comparison == 0);
            }
            assertThat(OrderKey.of(one)).isBetween(OrderKey.leastComparableTo(one), OrderKey.greatestComparableTo(one));
        }
    }

    @Test
    void orderKey_usualValues_tellsThemApart() {
        assertThat(List.of(
                        OrderKey.of(new BsonInt64(1_000_000)),
                        OrderKey.of(new BsonInt64(1_000_001)),
                        OrderKey.of(new BsonString("alpha a")),
                        OrderKey.of(new BsonString("alpha b")),
                        OrderKey.of(new BsonString("älphax")),
                        OrderKey.of(new BsonString("älphay")),
                        OrderKey.of(new BsonDateTime(1_800_000_000_000L)),
                        OrderKey.of(new BsonDateTime(1_800_000_000_001L))))
                .doesNotHaveDuplicates();
    }
}
