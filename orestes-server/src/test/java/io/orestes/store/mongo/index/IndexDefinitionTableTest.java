package io.orestes.store.mongo.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.store.IndexSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.bson.types.ObjectId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IndexDefinitionTableTest {

    private static final List<String> BUCKETS = List.of("A", "B", "C");

    /** The oracle is a list of all definitions. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void of_afterAnyChanges_areThoseOfTheBucketOldestFirst(long seed) {
        Random random = new Random(seed);
        IndexDefinitionTable definitions = new IndexDefinitionTable();
        List<MongoIndexDefinition> known = new ArrayList<>();

        for (int i = 0; i < 300; i++) {
            change(definitions, known, random);
            known.sort(Comparator.comparing(MongoIndexDefinition::number));
            assertThat(definitions.all()).containsExactlyElementsOf(known);
            for (String bucket : BUCKETS) {
                assertThat(definitions.of(bucket))
                        .isEqualTo(known.stream()
                                .filter(index -> index.bucket().equals(bucket))
                                .toList());
            }
        }
    }

    private static void change(IndexDefinitionTable definitions, List<MongoIndexDefinition> known, Random random) {
        int which = random.nextInt(known.size() + 1);
        if (which == known.size()) {
            add(definitions, known, index(random));
            return;
        }
        MongoIndexDefinition one = known.remove(which);
        assertThat(definitions.find(one.number())).contains(one);
        if (random.nextInt(3) == 0) {
            add(definitions, known, one.isReady() ? one.asReduced() : one.asReady());
        } else {
            definitions.remove(one.number());
            definitions.remove(one.number());
            assertThat(definitions.find(one.number())).isEmpty();
        }
    }

    private static void add(
            IndexDefinitionTable definitions, List<MongoIndexDefinition> known, MongoIndexDefinition index) {
        definitions.put(index);
        known.add(index);
    }

    /** Returns a definition whose time follows no order, as for those of other processes. */
    private static MongoIndexDefinition index(Random random) {
        byte[] number = new byte[12];
        random.nextBytes(number);
        String bucket = BUCKETS.get(random.nextInt(BUCKETS.size()));
        return new MongoIndexDefinition(new ObjectId(number), bucket, IndexSpec.ascending("a"), false, false);
    }
}
