package io.invalidb.query;

/** The sensitivity of a text search to case and diacritics. */
record SearchSensitivity(boolean toCase, boolean toAccents) {

    static final SearchSensitivity NONE = new SearchSensitivity(false, false);
    static final SearchSensitivity TO_CASE = new SearchSensitivity(true, false);
    static final SearchSensitivity TO_ACCENTS = new SearchSensitivity(false, true);

    private static final int FIRST_LETTER_WITH_ACCENT = 0x80;

    /** The same text for all texts that differ only in what is not seen. */
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

    /** Most words are; only characters that are told quickly are looked at. */
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
