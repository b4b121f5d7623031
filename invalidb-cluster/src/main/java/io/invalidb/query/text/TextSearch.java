package io.invalidb.query.text;

import io.invalidb.query.Excerpt;
import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.StepBudget;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The search of {@code $text}: wanted words and phrases, and those that must not occur. It matches
 * documents with one of the words in any of their texts, with all phrases, and with none of the
 * negated words and phrases. Immutable.
 */
public final class TextSearch {

    private static final int MAX_LENGTH = 10_000;

    private static final Set<String> OPTIONS = Set.of("$search", "$language", "$caseSensitive", "$diacriticSensitive");

    private final SearchTerms terms;
    private final SearchLanguage language;
    private final SearchSensitivity searchSensitivity;

    /** Words without case and accents, for an index, whatever the sensitivity. */
    private final Set<String> indexed;

    private final Set<String> wanted;
    private final Set<String> unwanted;
    private final List<SearchPhrase> phrases;
    private final List<SearchPhrase> unwantedPhrases;

    private TextSearch(SearchTerms terms, SearchLanguage language, SearchSensitivity searchSensitivity) {
        this.terms = terms;
        this.language = language;
        this.searchSensitivity = searchSensitivity;
        List<String> words = new ArrayList<>(terms.words());
        terms.phrases().forEach(phrase -> TextAnalyzer.split(phrase, language, words::add));
        this.indexed = forms(words, SearchSensitivity.NONE);
        this.wanted = forms(words, searchSensitivity);
        this.unwanted = forms(terms.unwantedWords(), searchSensitivity);
        this.phrases = folded(terms.phrases());
        this.unwantedPhrases = folded(terms.unwantedPhrases());
    }

    /**
     * Returns the forms of words, in a hash set that sorts colliding entries, since users choose
     * both these words and the ones that are looked up.
     */
    private Set<String> forms(Collection<String> words, SearchSensitivity searchSensitivity) {
        TextAnalyzer reader = new TextAnalyzer(new StepBudget());
        Set<String> forms = new HashSet<>();
        for (String word : words) {
            if (!TextAnalyzer.isStopWord(word, language)) {
                forms.add(reader.form(word, language, searchSensitivity));
            }
        }
        return Collections.unmodifiableSet(forms);
    }

    private List<SearchPhrase> folded(Collection<String> texts) {
        return texts.stream()
                .map(searchSensitivity::fold)
                .distinct()
                .map(SearchPhrase::of)
                .toList();
    }

    /** Parses the operand of {@code $text}. */
    public static TextSearch parse(BsonValue operand) {
        if (!(operand instanceof BsonDocument options) || !OPTIONS.containsAll(options.keySet())) {
            throw new QuerySyntaxException("$text takes an object of "
                    + String.join(", ", OPTIONS.stream().sorted().toList()));
        }
        SearchLanguage language = language(text("$language", options.get("$language", new BsonString(""))));
        SearchSensitivity searchSensitivity =
                new SearchSensitivity(isSet("$caseSensitive", options), isSet("$diacriticSensitive", options));
        String search = text("$search", options.get("$search"));
        String cased = searchSensitivity.toCase() ? search : SearchSensitivity.TO_ACCENTS.fold(search);
        return new TextSearch(requireShort(SearchTerms.parse(cased, language)), language, searchSensitivity);
    }

    /** Checks the length of the normal form, which other servers parse again. */
    private static SearchTerms requireShort(SearchTerms terms) {
        if (terms.toString().length() > MAX_LENGTH) {
            throw new QueryNotSupportedException("$search has at most " + MAX_LENGTH + " characters");
        }
        return terms;
    }

    private static String text(String option, @Nullable BsonValue value) {
        if (value instanceof BsonString text) {
            return text.getValue();
        }
        throw new QuerySyntaxException(option + " takes a string");
    }

    private static boolean isSet(String option, BsonDocument options) {
        if (options.get(option, BsonBoolean.FALSE) instanceof BsonBoolean set) {
            return set.getValue();
        }
        throw new QuerySyntaxException(option + " takes true or false");
    }

    private static SearchLanguage language(String name) {
        if (name.isEmpty()) {
            return SearchLanguage.ENGLISH;
        }
        return SearchLanguage.named(name)
                .orElseThrow(() -> new QueryNotSupportedException("$language '" + Excerpt.of(name)
                        + "' is not supported; there are " + SearchLanguage.allNames()));
    }

    /** Returns whether the document matches; fails if the budget is used up. */
    public boolean isFoundIn(BsonDocument document, StepBudget stepBudget) {
        if (indexed.isEmpty()) {
            return false;
        }
        Hits hits = new Hits(stepBudget);
        DocumentStrings.visit(document, hits, stepBudget);
        return hits.isIndexed && hits.isWanted && !hits.isUnwanted && hits.missing.isEmpty();
    }

    /** Returns the words of which a matching document has at least one. */
    public Set<String> indexedWords() {
        return indexed;
    }

    public BsonDocument toBson() {
        BsonDocument options = new BsonDocument("$search", new BsonString(terms.toString()));
        options.put("$language", new BsonString(language.fullName()));
        options.put("$caseSensitive", BsonBoolean.valueOf(searchSensitivity.toCase()));
        options.put("$diacriticSensitive", BsonBoolean.valueOf(searchSensitivity.toAccents()));
        return new BsonDocument("$text", options);
    }

    /** The hits in the texts of one document so far. */
    private final class Hits implements DocumentStrings.Visitor {

        /**
         * Cost of each character of a text, when words are searched and when it is folded for
         * phrases, in steps.
         */
        private static final long CHARACTER = 1;

        private final StepBudget stepBudget;
        private final TextAnalyzer words;
        private final List<SearchPhrase> missing = new ArrayList<>(phrases);
        private boolean isIndexed = false;
        private boolean isWanted = false;
        private boolean isUnwanted = false;

        Hits(StepBudget stepBudget) {
            this.stepBudget = stepBudget;
            this.words = new TextAnalyzer(stepBudget);
        }

        @Override
        public void visit(String text, SearchLanguage language) {
            if (!(isIndexed && isWanted && unwanted.isEmpty())) {
                stepBudget.spend(CHARACTER * text.length());
                TextAnalyzer.split(text, language, word -> onWord(word, language));
            }
            if (!(missing.isEmpty() && unwantedPhrases.isEmpty())) {
                stepBudget.spend(CHARACTER * text.length());
                onText(searchSensitivity.fold(text));
            }
        }

        /**
         * Handles a word as MongoDB does: an index has no stop words, but the documents found are
         * then compared to all words.
         */
        private void onWord(String word, SearchLanguage language) {
            String form = words.form(word, language, searchSensitivity);
            isWanted |= wanted.contains(form);
            isUnwanted |= unwanted.contains(form);
            isIndexed |= indexed.contains(plain(form, word, language)) && !TextAnalyzer.isStopWord(word, language);
        }

        private String plain(String form, String word, SearchLanguage language) {
            return isIndexed || searchSensitivity.equals(SearchSensitivity.NONE)
                    ? form
                    : words.form(word, language, SearchSensitivity.NONE);
        }

        private void onText(String folded) {
            missing.removeIf(phrase -> phrase.isIn(folded, stepBudget));
            isUnwanted |= unwantedPhrases.stream().anyMatch(phrase -> phrase.isIn(folded, stepBudget));
        }
    }
}
