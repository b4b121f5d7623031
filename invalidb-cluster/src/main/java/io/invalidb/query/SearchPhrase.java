package io.invalidb.query;

/**
 * A phrase that is searched in texts in linear time by the algorithm of Knuth, Morris and Pratt
 * ("Fast pattern matching in strings", 1977). A match need not lie at the borders of words.
 */
final class SearchPhrase {

    /** Of the text, that a step leads past. */
    private static final int CHARACTERS_PER_STEP = 4;

    private final String wanted;

    /** How much of the phrase still fits when the character behind the first n of it does not. */
    private final int[] fitting;

    private SearchPhrase(String wanted) {
        this.wanted = wanted;
        this.fitting = new int[wanted.length() + 1];
        for (int end = 1; end < wanted.length(); end++) {
            fitting[end + 1] = advance(fitting[end], wanted.charAt(end));
        }
    }

    /** @param wanted as {@link SearchSensitivity#fold folded} as the texts */
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

    /** An empty text holds no phrase, any other one the empty phrase. */
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
