package io.orestes.store.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.store.IndexKeys;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.bson.types.ObjectId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IndexDefinitionsTest {

    private static final List<String> BUCKETS = List.of("A", "B", "C");

    /** A list of all is the oracle. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void of_afterAnyChanges_areThoseOfTheBucketOldestFirst(long seed) {
        Random random = new Random(seed);
        IndexDefinitions definitions = new IndexDefinitions();
        List<IndexDefinition> known = new ArrayList<>();

        for (int i = 0; i < 300; i++) {
            change(definitions, known, random);
            known.sort(Comparator.comparing(IndexDefinition::number));
            assertThat(definitions.all()).containsExactlyElementsOf(known);
            for (String bucket : BUCKETS) {
                assertThat(definitions.of(bucket))
                        .isEqualTo(known.stream()
                                .filter(index -> index.bucket().equals(bucket))
                                .toList());
            }
        }
    }

    private static void change(IndexDefinitions definitions, List<IndexDefinition> known, Random random) {
        int which = random.nextInt(known.size() + 1);
        if (which == known.size()) {
            add(definitions, known, index(random));
            return;
        }
        IndexDefinition one = known.remove(which);
        assertThat(definitions.find(one.number())).contains(one);
        if (random.nextInt(3) == 0) {
            add(definitions, known, one.isReady() ? one.reduced() : one.ready());
        } else {
            definitions.remove(one.number());
            definitions.remove(one.number());
            assertThat(definitions.find(one.number())).isEmpty();
        }
    }

    private static void add(IndexDefinitions definitions, List<IndexDefinition> known, IndexDefinition index) {
        definitions.put(index);
        known.add(index);
    }

    /** In no order of time, as those of other processes come. */
    private static IndexDefinition index(Random random) {
        byte[] number = new byte[12];
        random.nextBytes(number);
        String bucket = BUCKETS.get(random.nextInt(BUCKETS.size()));
        return new IndexDefinition(new ObjectId(number), bucket, IndexKeys.ascending("a"), false, false);
    }
}
