package io.invalidb.matching;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class IntervalTreapTest {

    private static final int STEPS = 500;

    private final IntervalTreap<Integer> treap = new IntervalTreap<>();
    private final Map<Integer, Interval> model = new HashMap<>();
    private final Map<Integer, IntervalTreap.Node<Integer>> nodes = new HashMap<>();

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void forEachTouching_afterAnyAdditionsAndRemovals_findsWhatAScanFinds(long seed) {
        Random random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            if (random.nextInt(3) > 0) {
                add(step, interval(random));
            } else {
                remove(random.nextInt(STEPS));
            }
            Interval asked = interval(random);

            List<Integer> found = new ArrayList<>();
            treap.forEachTouching(asked, found::add);

            assertThat(found).containsExactlyInAnyOrderElementsOf(scan(asked));
            assertThat(treap.isEmpty()).isEqualTo(model.isEmpty());
        }
    }

    private void add(int key, Interval interval) {
        nodes.put(key, treap.add(interval, key));
        model.put(key, interval);
    }

    private void remove(int key) {
        if (model.remove(key) != null) {
            treap.remove(Objects.requireNonNull(nodes.get(key)));
        }
    }

    private List<Integer> scan(Interval asked) {
        return model.entrySet().stream()
                .filter(entry -> number(entry.getValue().lower()) <= number(asked.upper())
                        && number(entry.getValue().upper()) >= number(asked.lower()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static int number(BsonValue value) {
        return value.asInt32().getValue();
    }

    /** Some are inverted. */
    private static Interval interval(Random random) {
        int lower = random.nextInt(40);
        return new Interval(new BsonInt32(lower), new BsonInt32(lower + random.nextInt(6) - 1));
    }
}
