package io.orestes.store.mongo.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.filter.Filter;
import java.util.List;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonSymbol;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ScalarEqualityKeyTest {

    private static final ObjectId ID = new ObjectId("65f000000000000000000001");

    private static final List<BsonValue> PLAIN = List.of(
            new BsonInt32(0),
            new BsonInt32(1),
            new BsonInt32(-1),
            new BsonInt64(0),
            new BsonInt64(1),
            new BsonInt64((1L << 53) + 1),
            new BsonInt64(1L << 60),
            new BsonInt64(Long.MAX_VALUE),
            new BsonInt64(Long.MIN_VALUE),
            new BsonDouble(0.0),
            new BsonDouble(-0.0),
            new BsonDouble(1),
            new BsonDouble(1.5),
            new BsonDouble(0x1p53),
            new BsonDouble(0x1p60),
            new BsonDouble(0x1p63),
            new BsonDouble(-0x1p63),
            new BsonDouble(0x1p80),
            new BsonDouble(Double.NaN),
            new BsonDouble(Double.POSITIVE_INFINITY),
            new BsonDouble(Double.NEGATIVE_INFINITY),
            new BsonString(""),
            new BsonString("1"),
            new BsonString(ID.toHexString()),
            BsonBoolean.TRUE,
            BsonBoolean.FALSE,
            new BsonDateTime(0),
            new BsonDateTime(1),
            new BsonObjectId(ID));

    private static final List<BsonValue> OTHERS = List.of(
            new BsonDecimal128(Decimal128.parse("1")),
            new BsonDecimal128(Decimal128.NaN),
            new BsonSymbol("1"),
            new BsonTimestamp(0),
            new BsonArray(List.of(new BsonInt32(1))),
            new BsonDocument("1", new BsonInt32(1)),
            BsonNull.VALUE);

    private static Stream<BsonValue> plain() {
        return PLAIN.stream();
    }

    private static Stream<BsonValue> others() {
        return OTHERS.stream();
    }

    @ParameterizedTest
    @MethodSource("plain")
    void equalityKey_ofPlainValues_isTheSameWhereAFilterMatches(BsonValue wanted) {
        Filter filter = Filter.parse(new BsonDocument("a", new BsonDocument("$eq", wanted)));

        assertThat(PLAIN).allSatisfy(stored -> assertThat(
                        ScalarEqualityKey.equalityHash(stored).equals(ScalarEqualityKey.equalityHash(wanted)))
                .isEqualTo(filter.matches(new BsonDocument("a", stored))));
    }

    @ParameterizedTest
    @MethodSource("others")
    void equalityKey_ofWhatMayBeEqualToPlainValues_isNone(BsonValue stored) {
        assertThat(ScalarEqualityKey.equalityHash(stored)).isEmpty();
    }
}
