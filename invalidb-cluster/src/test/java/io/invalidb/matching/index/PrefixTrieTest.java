package io.invalidb.matching.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.invalidb.matching.QuerySpec;
import io.invalidb.query.filter.Filter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class PrefixTrieTest {

    private static final int STEPS = 500;

    private final PrefixTrie trie = new PrefixTrie();
    private final Map<IndexedFilter, String> model = new LinkedHashMap<>();

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void findPrefixesOf_afterAnyAdditionsAndRemovals_findsWhatAScanFinds(long seed) {
        Random random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            if (random.nextInt(STEPS) > step) {
                add(text(random), step);
            } else if (!model.isEmpty()) {
                remove(List.copyOf(model.keySet()).get(random.nextInt(model.size())));
            }
            String asked = text(random);

            List<IndexedFilter> found = new ArrayList<>();
            trie.findPrefixesOf(asked, bag -> bag.forEach(found::add));

            assertThat(found).containsExactlyInAnyOrderElementsOf(scan(asked));
        }
        List.copyOf(model.keySet()).forEach(this::remove);
        assertThat(trie.isEmpty()).isTrue();
    }

    private void add(String prefix, int step) {
        IndexedFilter indexedFilter = new CellQuery(new QuerySpec("q" + step, "Test", Filter.ALL), Map.of());
        indexedFilter.setRegistration(trie.add(prefix, indexedFilter, null));
        model.put(indexedFilter, prefix);
    }

    private void remove(IndexedFilter indexedFilter) {
        model.remove(indexedFilter);
        indexedFilter.removeFromIndex();
    }

    private List<IndexedFilter> scan(String text) {
        return model.entrySet().stream()
                .filter(entry -> text.startsWith(entry.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns a text of few letters, so that many have common prefixes. */
    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(8); i > 0; i--) {
            text.append((char) ('a' + random.nextInt(2)));
        }
        return text.toString();
    }
}
