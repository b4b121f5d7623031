package io.invalidb.matching;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class OpenTableTest {

    private static final int STEPS = 2_000;

    private final OpenTable<Key, Entry> table = new OpenTable<>(Entry::key);
    private final Map<Key, Entry> model = new HashMap<>();

    /** Many keys have one hash. */
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

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    /** First it grows, then it shrinks. */
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
