package io.invalidb.matching.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.matching.QuerySpec;
import io.invalidb.matching.selectivity.Interval;
import io.invalidb.query.filter.Filter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class IntervalTreapTest {

    private static final int STEPS = 500;

    /** Number of nodes at the start, such that numbers begin again during the test. */
    private final IntervalTreap treap = new IntervalTreap(-STEPS / 3);

    private final Map<IndexedFilter, Interval> model = new LinkedHashMap<>();

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void forEachOverlapping_afterAnyAdditionsAndRemovals_findsWhatAScanFinds(long seed) {
        Random random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            if (model.isEmpty() || random.nextInt(3) > 0) {
                add(candidate("q" + step), interval(random));
            } else {
                remove(List.copyOf(model.keySet()).get(random.nextInt(model.size())));
            }
            Interval asked = interval(random);

            List<IndexedFilter> found = new ArrayList<>();
            treap.forEachOverlapping(asked, found::add);

            assertThat(found).containsExactlyInAnyOrderElementsOf(scan(asked));
            assertThat(treap.isEmpty()).isEqualTo(model.isEmpty());
        }
    }

    @Test
    void forEachOverlapping_textsThatBeginAlike_areToldApart() {
        String same = "/db/Test/2026-11-21T";
        add(candidate("morning"), Interval.of(new BsonString(same + "06"), new BsonString(same + "12")));
        add(candidate("evening"), Interval.of(new BsonString(same + "18"), new BsonString(same + "22")));
        List<String> found = new ArrayList<>();

        BsonString nine = new BsonString(same + "09:30");
        treap.forEachOverlapping(
                Interval.of(nine, nine),
                indexedFilter -> indexedFilter.forEachQuery(
                        query -> found.add(query.spec().id())));

        assertThat(found).containsExactly("morning");
    }

    private static IndexedFilter candidate(String id) {
        return new CellQuery(new QuerySpec(id, "Test", Filter.ALL), Map.of());
    }

    private void add(IndexedFilter indexedFilter, Interval interval) {
        indexedFilter.setRegistration(treap.add(interval, indexedFilter));
        model.put(indexedFilter, interval);
    }

    private void remove(IndexedFilter indexedFilter) {
        model.remove(indexedFilter);
        indexedFilter.removeFromIndex();
    }

    private List<IndexedFilter> scan(Interval asked) {
        return model.entrySet().stream()
                .filter(entry -> number(entry.getValue().lower()) <= number(asked.upper())
                        && number(entry.getValue().upper()) >= number(asked.lower()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static int number(BsonValue value) {
        return value.asInt32().getValue();
    }

    /** Returns an interval; some are inverted. */
    private static Interval interval(Random random) {
        int lower = random.nextInt(40);
        return Interval.of(new BsonInt32(lower), new BsonInt32(lower + random.nextInt(6) - 1));
    }
}
