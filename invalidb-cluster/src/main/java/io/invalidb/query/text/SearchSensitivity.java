package io.invalidb.query.text;

/** The sensitivity of a text search to case and diacritics. */
record SearchSensitivity(boolean toCase, boolean toAccents) {

    static final SearchSensitivity NONE = new SearchSensitivity(false, false);
    static final SearchSensitivity TO_CASE = new SearchSensitivity(true, false);
    static final SearchSensitivity TO_ACCENTS = new SearchSensitivity(false, true);

    private static final int FIRST_LETTER_WITH_ACCENT = 0x80;

    /** Returns one text for all that differ only in ignored properties. */
    String fold(String text) {
        if ((toCase && toAccents) || isFolded(text)) {
            return text;
        }
        StringBuilder folded = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int character = fold(text.codePointAt(i));
            if (character != SearchCharacters.NOTHING) {
                folded.appendCodePoint(character);
            }
        }
        return folded.toString();
    }

    /**
     * Returns whether the text is folded already, as most words are; it checks only characters that
     * are fast to classify.
     */
    private boolean isFolded(String text) {
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character >= FIRST_LETTER_WITH_ACCENT || fold(character) != character) {
                return false;
            }
        }
        return true;
    }

    private int fold(int character) {
        int plain = toCase ? character : SearchCharacters.withoutCase(character);
        return toAccents ? plain : SearchCharacters.withoutAccent(plain);
    }
}
