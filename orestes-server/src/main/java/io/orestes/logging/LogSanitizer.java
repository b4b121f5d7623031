package io.orestes.logging;

/**
 * The sanitizer of log texts from untrusted sources: escapes control characters and truncates long
 * texts.
 */
final class LogSanitizer {

    private LogSanitizer() {}

    /**
     * Returns the text on one line, without characters that control a terminal or disguise text.
     * Control characters, line separators and format characters, such as those that change the
     * direction of writing, become Java escapes.
     */
    static String onOneLine(String text) {
        int plain = 0;
        while (plain < text.length() && isPlain(text.charAt(plain))) {
            plain++;
        }
        return plain == text.length() ? text : escaped(text, plain);
    }

    /** Truncates a text to {@code most} characters, with a note on the number of missing ones. */
    static String truncate(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        return text.substring(0, end) + " … (" + (text.length() - end) + " more characters)";
    }

    private static String escaped(String text, int plain) {
        StringBuilder out = new StringBuilder(text.length() + 16).append(text, 0, plain);
        for (int i = plain; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isPlain(c)) {
                out.append(c);
            } else {
                out.append(escape(c));
            }
        }
        return out.toString();
    }

    private static String escape(char c) {
        return switch (c) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> "\\u%04x".formatted((int) c);
        };
    }

    private static boolean isPlain(char c) {
        return (c >= ' ' && c < 0x7f)
                || (c > 0x9f
                        && switch (Character.getType(c)) {
                            case Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
                            default -> true;
                        });
    }
}
