package io.invalidb.query.text;

import io.invalidb.query.StepBudget;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.tartarus.snowball.SnowballStemmer;

/**
 * The analyzer of text search: splits texts into words and removes case, stop words, endings and
 * accents, in this order. It has stemmers, which one thread uses at a time.
 */
final class TextAnalyzer {

    /** Cost of a word in steps. */
    private static final long STEPS_PER_WORD = 30;

    private static final long STEPS_PER_CHARACTER = 2;

    /**
     * Number of characters that are moved in a step when a stemmer replaces one character by two.
     */
    private static final long MOVED_CHARACTERS = 128;

    /**
     * Replacement of a letter of two UTF-16 units while a word is stemmed; it is no letter of any
     * language.
     */
    private static final String STAND_IN = "\uffff";

    private static final Pattern STANDING_IN = Pattern.compile(STAND_IN);

    /**
     * Letters of two UTF-16 units, and the replacement character where a text contains it: so both
     * keep their order.
     */
    private static final Pattern REPLACED = Pattern.compile("[\\x{10000}-\\x{10ffff}" + STAND_IN + "]");

    private final Map<SearchLanguage, Optional<SnowballStemmer>> stemmers = new EnumMap<>(SearchLanguage.class);
    private final StepBudget stepBudget;

    TextAnalyzer(StepBudget stepBudget) {
        this.stepBudget = stepBudget;
    }

    /** Splits a text into its words; takes about a step for each character. */
    static void split(String text, SearchLanguage language, Consumer<String> found) {
        int start = 0;
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int character = text.codePointAt(i);
            if (language.isDelimiter(character)) {
                add(text.substring(start, i), found);
                start = i + Character.charCount(character);
            }
        }
        add(text.substring(start), found);
    }

    private static void add(String word, Consumer<String> found) {
        String plain = word.indexOf(SearchCharacters.BYTE_ORDER_MARK) < 0 ? word : withoutMarks(word);
        if (!plain.isEmpty()) {
            found.accept(plain);
        }
    }

    private static String withoutMarks(String word) {
        return word.replace(Character.toString(SearchCharacters.BYTE_ORDER_MARK), "");
    }

    /** Returns whether a word is a stop word, whatever its case. */
    static boolean isStopWord(String word, SearchLanguage language) {
        return StopWords.of(language).contains(SearchSensitivity.TO_ACCENTS.fold(word));
    }

    /** Returns the compared form of a word; may be empty. */
    String form(String word, SearchLanguage language, SearchSensitivity searchSensitivity) {
        stepBudget.spend(STEPS_PER_WORD + STEPS_PER_CHARACTER * word.length());
        String stem = stem(searchSensitivity.toCase() ? word : SearchSensitivity.TO_ACCENTS.fold(word), language);
        return searchSensitivity.toAccents() ? stem : SearchSensitivity.TO_CASE.fold(stem);
    }

    private String stem(String word, SearchLanguage language) {
        Optional<SnowballStemmer> stemmer = stemmers.computeIfAbsent(language, SearchLanguage::newStemmer);
        if (stemmer.isEmpty()) {
            return word;
        }
        stepBudget.spend((long) accents(word) * word.length() / MOVED_CHARACTERS);
        boolean isNarrow = word.codePointCount(0, word.length()) == word.length();
        return isNarrow ? stem(word, stemmer.get()) : stemLetters(word, stemmer.get());
    }

    /**
     * Returns the maximum number of letters that a stemmer may replace by two characters: those
     * with accents and the like.
     */
    private static int accents(String word) {
        int count = 0;
        for (int i = 0; i < word.length(); i++) {
            count += word.charAt(i) < 0x80 ? 0 : 1;
        }
        return count;
    }

    private static String stem(String word, SnowballStemmer stemmer) {
        stemmer.setCurrent(word);
        boolean unused = stemmer.stem();
        return stemmer.getCurrent();
    }

    /**
     * Stems a word. Stemmers count UTF-16 units, but a letter of two units is one letter; it is
     * never part of an ending.
     */
    private static String stemLetters(String word, SnowballStemmer stemmer) {
        String stem = stem(REPLACED.matcher(word).replaceAll(STAND_IN), stemmer);
        Matcher letters = REPLACED.matcher(word);
        return STANDING_IN.matcher(stem).replaceAll(place -> letters.find() ? letters.group() : place.group());
    }
}
