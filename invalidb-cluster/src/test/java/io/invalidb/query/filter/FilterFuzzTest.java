package io.invalidb.query.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.RandomBson;
import io.invalidb.query.sort.SortOrder;
import java.util.stream.LongStream;
import org.bson.BsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Parsing of any client input ends with a filter or with one of two exceptions. */
final class FilterFuzzTest {

    private static final int TRIES = 200;

    static LongStream seeds() {
        return LongStream.range(0, 100);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void parse_garbage_isAFilterOrRefused(long seed) {
        RandomBson random = new RandomBson(seed);

        for (int i = 0; i < TRIES; i++) {
            tryFilter(random.garbage(4), random.document());
        }
    }

    private static void tryFilter(BsonDocument garbage, BsonDocument document) {
        Filter filter;
        try {
            filter = Filter.parse(garbage);
        } catch (QuerySyntaxException | QueryNotSupportedException refused) {
            assertThat(refused.getMessage()).isNotBlank().hasSizeLessThan(400);
            return;
        }
        assertThat(Filter.parse(filter.normalForm())).isEqualTo(filter);
        assertThat(filter.matches(document)).isEqualTo(filter.matches(document));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void parse_garbageSortOrder_isASortOrderOrRefused(long seed) {
        RandomBson random = new RandomBson(seed);

        for (int i = 0; i < TRIES; i++) {
            trySort(random.garbage(1));
        }
    }

    private static void trySort(BsonDocument garbage) {
        try {
            SortOrder order = SortOrder.parse(garbage);
            assertThat(SortOrder.parse(order.toBson())).isEqualTo(order);
        } catch (QuerySyntaxException | QueryNotSupportedException refused) {
            assertThat(refused.getMessage()).isNotBlank();
        }
    }
}
