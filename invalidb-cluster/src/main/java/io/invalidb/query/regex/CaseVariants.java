package io.invalidb.query.regex;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Characters that differ in case alone, by Unicode's simple case folding as in PCRE: {@code s},
 * {@code S} and the long s are equal, dotted and dotless {@code i} are not. Loaded with the first
 * query that ignores case.
 */
final class CaseVariants {

    private static final int DOTTED_CAPITAL_I = 0x130;
    private static final int DOTLESS_SMALL_I = 0x131;

    private static final Map<Integer, List<Integer>> ALL = collect();

    private CaseVariants() {}

    /** Returns every character with its variants, itself included. */
    static Map<Integer, List<Integer>> all() {
        return ALL;
    }

    /** Returns all variants of a character; only itself if there are no others. */
    static List<Integer> of(int character) {
        return ALL.getOrDefault(character, List.of(character));
    }

    private static Map<Integer, List<Integer>> collect() {
        Map<Integer, Set<Integer>> byFolding = new HashMap<>();
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            if (Character.toLowerCase(c) != c || Character.toUpperCase(c) != c) {
                byFolding
                        .computeIfAbsent(fold(c), folded -> new TreeSet<>(Set.of(folded)))
                        .add(c);
            }
        }
        Map<Integer, List<Integer>> variants = new HashMap<>();
        byFolding.values().stream()
                .filter(group -> group.size() > 1)
                .forEach(group -> group.forEach(character -> variants.put(character, List.copyOf(group))));
        return variants;
    }

    private static int fold(int character) {
        boolean alone = character == DOTTED_CAPITAL_I || character == DOTLESS_SMALL_I;
        return alone ? character : Character.toLowerCase(Character.toUpperCase(character));
    }
}
