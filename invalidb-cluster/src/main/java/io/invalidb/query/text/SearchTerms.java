package io.invalidb.query.text;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The parsed terms of a search string: words and phrases, each wanted or negated. A hyphen behind a
 * space, or at the start, negates the text up to the next space. A phrase is in double quotes. Text
 * behind an unclosed quote is no phrase.
 *
 * @param words the words outside of phrases, as written
 */
record SearchTerms(
        NavigableSet<String> words,
        NavigableSet<String> unwantedWords,
        NavigableSet<String> phrases,
        NavigableSet<String> unwantedPhrases) {

    static SearchTerms parse(String search, SearchLanguage language) {
        Reader reader = new Reader(language);
        reader.read(search);
        return reader.terms;
    }

    private SearchTerms() {
        this(new TreeSet<>(), new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
    }

    /** Returns a search string for equal terms. */
    @Override
    public String toString() {
        List<String> parts = new ArrayList<>(words);
        phrases.forEach(phrase -> parts.add('"' + phrase + '"'));
        unwantedWords.forEach(word -> parts.add('-' + word));
        unwantedPhrases.forEach(phrase -> parts.add("-\"" + phrase + '"'));
        return String.join(" ", parts);
    }

    private static final class Reader {

        private final SearchTerms terms = new SearchTerms();
        private final SearchLanguage language;
        private boolean isNegated = false;
        private boolean isBehindSpace = true;

        Reader(SearchLanguage language) {
            this.language = language;
        }

        /** Reads a search string; parts with an odd number are in quotes. */
        void read(String search) {
            String[] parts = search.split("\"", -1);
            for (int i = 0; i < parts.length; i++) {
                if (i % 2 == 0) {
                    outside(parts[i]);
                } else {
                    inside(parts[i], i < parts.length - 1);
                }
                isBehindSpace = false;
            }
        }

        private void outside(String part) {
            int start = 0;
            for (int i = 0; i < part.length(); i++) {
                char character = part.charAt(i);
                if (isSpace(character)) {
                    add(part.substring(start, i));
                    start = i;
                    isNegated = false;
                }
                isNegated |= character == '-' && isBehindSpace;
                isBehindSpace = isSpace(character);
            }
            add(part.substring(start));
        }

        /**
         * Returns whether the character is a space. Other white space, such as a tabulator,
         * separates words but ends no negation.
         */
        private static boolean isSpace(char character) {
            return character == ' ' || (character >= '\n' && character <= '\r');
        }

        private void add(String text) {
            TextAnalyzer.split(text, language, isNegated ? terms.unwantedWords::add : terms.words::add);
        }

        private void inside(String part, boolean isClosed) {
            if (isClosed) {
                NavigableSet<String> phrases = isNegated ? terms.unwantedPhrases : terms.phrases;
                phrases.add(part);
            } else if (!isNegated) {
                add(part);
            }
        }
    }
}
