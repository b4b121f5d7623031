package io.invalidb.query.regex;

/**
 * The options at one position of a regular expression: {@code i}, {@code m}, {@code s}, {@code x}.
 */
record PatternOptions(boolean ignoreCase, boolean multiline, boolean dotAll, boolean extended) {

    static PatternOptions of(String options) {
        PatternOptions result = new PatternOptions(false, false, false, false);
        for (int i = 0; i < options.length(); i++) {
            result = result.with(options.charAt(i), true);
        }
        return result;
    }

    static boolean isKnown(int option) {
        return "imsx".indexOf(option) >= 0;
    }

    PatternOptions with(int option, boolean on) {
        return new PatternOptions(
                option == 'i' ? on : ignoreCase,
                option == 'm' ? on : multiline,
                option == 's' ? on : dotAll,
                option == 'x' ? on : extended);
    }
}
