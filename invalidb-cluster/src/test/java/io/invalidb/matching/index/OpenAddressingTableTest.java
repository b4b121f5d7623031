package io.invalidb.matching.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.matching.HostileTexts;
import io.invalidb.query.filter.Filter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class OpenAddressingTableTest {

    private static final int STEPS = 2_000;

    private final OpenAddressingTable<Key, Entry> table = new OpenAddressingTable<>(Entry::key, Key::hashCode);
    private final Map<Key, Entry> model = new HashMap<>();

    /** A key; many keys have one hash. */
    private record Key(int number) {
        @Override
        public int hashCode() {
            return number / 5;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key that && number == that.number;
        }
    }

    private record Entry(Key key, int step) {}

    @Test
    void get_textsWithOneHashCode_takesAsFewStepsAsAnyOther() {
        List<String> alike = HostileTexts.some(4_096);

        assertThat(alike).extracting(String::hashCode).containsOnly(alike.get(0).hashCode());
        assertThat(steps(OpenAddressingTable::byText, alike)).isLessThan(4L * alike.size());
    }

    @Test
    void get_filtersOnTextsWithOneHashCode_takesAsFewStepsAsAnyOther() {
        List<Filter> alike = HostileTexts.some(4_096).stream()
                .map(text -> Filter.parse(new BsonDocument("name", new BsonString(text))))
                .toList();

        assertThat(steps(keyOf -> new OpenAddressingTable<>(keyOf, Filter::hashCode), alike))
                .isLessThan(4L * alike.size());
    }

    /** Returns the number of entries that are read to find each key once. */
    private static <K> long steps(Function<Function<K, K>, OpenAddressingTable<K, K>> making, List<K> keys) {
        AtomicLong steps = new AtomicLong();
        OpenAddressingTable<K, K> table = making.apply(key -> {
            steps.incrementAndGet();
            return key;
        });
        keys.forEach(table::put);
        steps.set(0);
        assertThat(keys).allMatch(key -> key.equals(table.get(key)));
        return steps.get();
    }

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    /** The table first grows, then shrinks. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void get_afterAnyChanges_findsWhatAHashMapFinds(long seed) {
        Random random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            Key key = new Key(random.nextInt(200));
            if (random.nextInt(STEPS) > step) {
                table.put(new Entry(key, step));
                model.put(key, new Entry(key, step));
            } else {
                assertThat(table.remove(key)).isEqualTo(model.remove(key));
            }
            assertThat(table.size()).isEqualTo(model.size());
        }

        LongStream.range(0, 200).mapToObj(number -> new Key((int) number)).forEach(key -> assertThat(table.get(key))
                .isEqualTo(model.get(key)));
    }
}
