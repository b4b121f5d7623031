package io.invalidb.query.regex;

/**
 * The literal text with which every match of an anchored regular expression begins.
 *
 * @param text the prefix, empty if none is known
 * @param isAll true if every text with the prefix matches
 */
public record LiteralPrefix(String text, boolean isAll) {

    private static final LiteralPrefix NONE = new LiteralPrefix("", false);

    public static LiteralPrefix of(String pattern, String options) {
        boolean plain = options.isEmpty() || options.equals("s");
        if (!plain || !pattern.startsWith("^") || pattern.contains("|")) {
            return NONE;
        }
        return read(pattern);
    }

    private static LiteralPrefix read(String pattern) {
        StringBuilder text = new StringBuilder();
        int at = 1;
        while (at < pattern.length() && isLiteral(pattern, at)) {
            at += pattern.charAt(at) == '\\' ? 1 : 0;
            int character = pattern.codePointAt(at);
            at += Character.charCount(character);
            if (isOptional(pattern, at)) {
                return new LiteralPrefix(text.toString(), false);
            }
            text.appendCodePoint(character);
        }
        return new LiteralPrefix(text.toString(), at == pattern.length());
    }

    /**
     * Returns whether the character at the position is literal; escaped letters and digits stand
     * for classes and the like.
     */
    private static boolean isLiteral(String pattern, int at) {
        char c = pattern.charAt(at);
        if (c != '\\') {
            return ".[]{}()*+?^$".indexOf(c) < 0 && !isLoneSurrogate(pattern, at);
        }
        return at + 1 < pattern.length()
                && pattern.charAt(at + 1) < 128
                && !Character.isLetterOrDigit(pattern.charAt(at + 1));
    }

    private static boolean isLoneSurrogate(String pattern, int at) {
        int character = pattern.codePointAt(at);
        return character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
    }

    private static boolean isOptional(String pattern, int at) {
        return at < pattern.length() && "*?{".indexOf(pattern.charAt(at)) >= 0;
    }
}
