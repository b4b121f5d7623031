package io.invalidb.query.text;

import io.invalidb.query.StepBudget;

/**
 * A phrase that is found in texts in linear time by the algorithm of Knuth, Morris and Pratt ("Fast
 * pattern matching in strings", 1977). A match may begin and end inside of words.
 */
final class SearchPhrase {

    /** Number of characters of the text per step. */
    private static final int CHARACTERS_PER_STEP = 4;

    private final String wanted;

    /**
     * Length of the phrase that still fits when the character behind its first n does not (failure
     * function).
     */
    private final int[] fitting;

    private SearchPhrase(String wanted) {
        this.wanted = wanted;
        this.fitting = new int[wanted.length() + 1];
        for (int end = 1; end < wanted.length(); end++) {
            fitting[end + 1] = advance(fitting[end], wanted.charAt(end));
        }
    }

    /** @param wanted phrase, {@link SearchSensitivity#fold folded} like the texts */
    static SearchPhrase of(String wanted) {
        return new SearchPhrase(wanted);
    }

    private int advance(int fit, char next) {
        int length = fit;
        while (length > 0 && wanted.charAt(length) != next) {
            length = fitting[length];
        }
        return wanted.charAt(length) == next ? length + 1 : 0;
    }

    /**
     * Returns whether the text contains the phrase. An empty text contains no phrase, any other one
     * the empty phrase.
     */
    boolean isIn(String text, StepBudget stepBudget) {
        stepBudget.spend(1 + text.length() / CHARACTERS_PER_STEP);
        if (wanted.isEmpty()) {
            return !text.isEmpty();
        }
        int fit = 0;
        for (int i = 0; i < text.length(); i++) {
            fit = advance(fit, text.charAt(i));
            if (fit == wanted.length()) {
                return true;
            }
        }
        return false;
    }
}
