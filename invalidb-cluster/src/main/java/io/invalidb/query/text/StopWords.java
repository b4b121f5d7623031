package io.invalidb.query.text;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Words without meaning for a search, e.g. {@code the}: the lists of Snowball in Lucene's archive.
 */
final class StopWords {

    private static final String FILE = "/org/apache/lucene/analysis/snowball/%s_stop.txt";

    private static final Map<SearchLanguage, Set<String>> BY_LANGUAGE = readAll();

    private StopWords() {}

    /** Returns the stop words, all in lower case. */
    static Set<String> of(SearchLanguage language) {
        return BY_LANGUAGE.getOrDefault(language, Set.of());
    }

    private static Map<SearchLanguage, Set<String>> readAll() {
        Map<SearchLanguage, Set<String>> words = new EnumMap<>(SearchLanguage.class);
        for (SearchLanguage language : SearchLanguage.values()) {
            words.put(language, language == SearchLanguage.NONE ? Set.of() : read(language));
        }
        words.put(SearchLanguage.GERMAN, german(words.getOrDefault(SearchLanguage.GERMAN, Set.of())));
        return words;
    }

    /**
     * Returns the German list as in MongoDB: Lucene's list has the old spelling only, and a typing
     * error.
     */
    private static Set<String> german(Set<String> listed) {
        Set<String> words = new HashSet<>(listed);
        words.remove("anderr");
        words.add("dass");
        return Set.copyOf(words);
    }

    private static Set<String> read(SearchLanguage language) {
        String file = FILE.formatted(language.fullName());
        try (InputStream list = SearchLanguage.class.getResourceAsStream(file)) {
            if (list == null) {
                throw new IllegalStateException("The stop words of " + language.fullName() + " are missing: " + file);
            }
            return parse(new String(list.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Parses a list, in which a bar begins a comment. */
    private static Set<String> parse(String list) {
        return list.lines()
                .map(line -> line.replaceFirst("\\|.*", "").strip())
                .filter(word -> !word.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }
}
