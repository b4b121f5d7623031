package io.invalidb.query.text;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.tartarus.snowball.SnowballStemmer;
import org.tartarus.snowball.ext.EnglishStemmer;
import org.tartarus.snowball.ext.GermanStemmer;
import org.tartarus.snowball.ext.NorwegianStemmer;
import org.tartarus.snowball.ext.PortugueseStemmer;
import org.tartarus.snowball.ext.SpanishStemmer;
import org.tartarus.snowball.ext.SwedishStemmer;

/**
 * A language of {@code $text}: those whose endings and stop words are treated alike by Snowball in
 * Lucene and by MongoDB 6.0.
 */
enum SearchLanguage {
    ENGLISH("en"),
    GERMAN("de"),
    NORWEGIAN("nb"),
    PORTUGUESE("pt"),
    SPANISH("es"),
    SWEDISH("sv"),
    /** No language: words are compared unchanged, without stop words. */
    NONE("none");

    private final String code;

    SearchLanguage(String code) {
        this.code = code;
    }

    /**
     * Returns the language with this name or two-letter code, in any case; absent if it is unknown.
     */
    static Optional<SearchLanguage> named(String name) {
        String wanted = name.toLowerCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(language -> language.fullName().equals(wanted) || language.code.equals(wanted))
                .findFirst();
    }

    /** Returns all names for messages. */
    static String allNames() {
        return Arrays.stream(values()).map(SearchLanguage::fullName).collect(Collectors.joining(", "));
    }

    String fullName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Creates a stemmer for one thread; absent if the language has no endings. */
    Optional<SnowballStemmer> newStemmer() {
        return switch (this) {
            case ENGLISH -> Optional.of(new EnglishStemmer());
            case GERMAN -> Optional.of(new GermanStemmer());
            case NORWEGIAN -> Optional.of(new NorwegianStemmer());
            case PORTUGUESE -> Optional.of(new PortugueseStemmer());
            case SPANISH -> Optional.of(new SpanishStemmer());
            case SWEDISH -> Optional.of(new SwedishStemmer());
            case NONE -> Optional.empty();
        };
    }

    /**
     * Returns whether a character belongs to no word: {@code don't} is one word in English only.
     */
    boolean isDelimiter(int character) {
        return SearchCharacters.isDelimiter(character) && !(character == '\'' && this == ENGLISH);
    }
}
