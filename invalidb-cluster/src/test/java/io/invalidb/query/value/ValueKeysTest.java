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

/** {@link OrderPrefix} and {@link EqualityHash} are consistent with {@link BsonOrder}. */
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

                assertThat(OrderPrefix.of(one) <= OrderPrefix.of(other))
                        .as("%s, %s", one, other)
                        .isIn(true, comparison <= 0);
                assertThat(EqualityHash.of(one) == EqualityHash.of(other))
                        .as("%s, %s", one, other)
                        .isIn(true, comparison == 0);
            }
            assertThat(OrderPrefix.of(one))
                    .isBetween(OrderPrefix.leastComparableTo(one), OrderPrefix.greatestComparableTo(one));
        }
    }

    @Test
    void orderKey_usualValues_tellsThemApart() {
        assertThat(List.of(
                        OrderPrefix.of(new BsonInt64(1_000_000)),
                        OrderPrefix.of(new BsonInt64(1_000_001)),
                        OrderPrefix.of(new BsonString("alpha a")),
                        OrderPrefix.of(new BsonString("alpha b")),
                        OrderPrefix.of(new BsonString("älphax")),
                        OrderPrefix.of(new BsonString("älphay")),
                        OrderPrefix.of(new BsonDateTime(1_800_000_000_000L)),
                        OrderPrefix.of(new BsonDateTime(1_800_000_000_001L))))
                .doesNotHaveDuplicates();
    }
}
