package io.invalidb.query.regex;

import io.invalidb.query.Excerpt;
import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The scanner of a regular expression's text, from left to right. */
final class PatternScanner {

    private static final Pattern REPETITION = Pattern.compile("\\{(\\d{1,6})(,(\\d{0,6}))?}");
    private static final Pattern NAME = Pattern.compile("(?:P?<([A-Za-z_]\\w{0,31})>|'([A-Za-z_]\\w{0,31})')");
    private static final Pattern PROPERTY = Pattern.compile("([A-Z])|\\{(\\^?)(\\w+)}");
    private static final Pattern HEX = Pattern.compile("\\{([0-9a-fA-F]{1,6})}|(?!\\{)([0-9a-fA-F]{0,2})");
    private static final Pattern POSIX_CLASS = Pattern.compile("([:.=])[^]]*\\1]");
    private static final Pattern OCTAL = Pattern.compile("[0-7]{0,2}");

    private final String pattern;
    private final Set<String> names = new HashSet<>();
    private int at = 0;

    PatternScanner(String pattern) {
        this.pattern = pattern;
    }

    /** A repetition count; laziness does not change whether there is a match. */
    record Repetition(long least, long most, boolean isUnbounded) {

        String toRe2() {
            return "{" + least + (isUnbounded ? ",}" : "," + most + "}");
        }

        /** Returns the number of copies in a program. */
        long copies() {
            return isUnbounded ? least + 1 : most;
        }
    }

    boolean hasMore() {
        return at < pattern.length();
    }

    int peek() {
        return pattern.codePointAt(at);
    }

    int next() {
        int c = peek();
        if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
            throw malformed("is no valid text");
        }
        at += Character.charCount(c);
        return c;
    }

    boolean skip(String expected) {
        boolean found = pattern.startsWith(expected, at);
        at += found ? expected.length() : 0;
        return found;
    }

    /**
     * Skips blanks and comments, which option {@code x} ignores. MongoDB appends a bracket to the
     * pattern, which a comment at its end would hide.
     */
    void skipBlanks() {
        while (hasMore() && " \t\n\u000b\f\r#".indexOf(peek()) >= 0) {
            at = peek() == '#' ? behind("\n", "ends with a comment") : at + 1;
        }
    }

    void skipGroupComment() {
        at = behind(")", "has an unclosed comment");
    }

    private int behind(String end, String failure) {
        int found = pattern.indexOf(end, at);
        if (found < 0) {
            throw malformed(failure);
        }
        return found + end.length();
    }

    /** Reads the name of a group. */
    boolean skipName() {
        Matcher name = NAME.matcher(pattern).region(at, pattern.length());
        if (!name.lookingAt()) {
            return false;
        }
        if (!names.add(name.group(1) == null ? name.group(2) : name.group(1))) {
            throw malformed("has two groups of one name");
        }
        at = name.end();
        return true;
    }

    /** Reads letters that switch options on, and off behind a minus. */
    PatternOptions options(PatternOptions before) {
        PatternOptions options = before;
        boolean on = true;
        while (hasMore() && (PatternOptions.isKnown(peek()) || (on && peek() == '-'))) {
            int option = next();
            on &= option != '-';
            options = options.with(option, on);
        }
        return options;
    }

    /** Reads a repetition if there is one. */
    Optional<Repetition> repetition(boolean extended) {
        Optional<Repetition> repetition = counts();
        if (repetition.isPresent()) {
            skipKind(extended);
        }
        return repetition;
    }

    private Optional<Repetition> counts() {
        if (skip("*")) {
            return Optional.of(new Repetition(0, 0, true));
        }
        if (skip("+")) {
            return Optional.of(new Repetition(1, 1, true));
        }
        if (skip("?")) {
            return Optional.of(new Repetition(0, 1, false));
        }
        Optional<Repetition> bounds = bounds(at);
        at = bounds.isPresent() ? pattern.indexOf('}', at) + 1 : at;
        return bounds;
    }

    private void skipKind(boolean extended) {
        if (extended) {
            skipBlanks();
        }
        if (skip("+")) {
            throw unsupported("has a possessive repetition");
        }
        boolean unused = skip("?");
    }

    /** Reads a repetition behind its opening brace. */
    Optional<Repetition> repetitionBehindBrace() {
        return bounds(at - 1);
    }

    private Optional<Repetition> bounds(int from) {
        Matcher bounds = REPETITION.matcher(pattern).region(from, pattern.length());
        if (!bounds.lookingAt()) {
            return Optional.empty();
        }
        long least = Long.parseLong(bounds.group(1));
        String most = bounds.group(2) == null ? bounds.group(1) : bounds.group(3);
        return Optional.of(new Repetition(least, most.isEmpty() ? least : Long.parseLong(most), most.isEmpty()));
    }

    /**
     * Returns whether the bracket just read looks like that of {@code [:alpha:]} outside of a
     * class.
     */
    boolean isPosixClass() {
        return POSIX_CLASS.matcher(pattern).region(at, pattern.length()).lookingAt();
    }

    /** Returns the character of an escape, whose first letter was just read. */
    int escaped(int letter) {
        return switch (letter) {
            case 'a' -> 7;
            case 'e' -> 27;
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'x' -> hex();
            case '0' -> Integer.parseInt("0" + taken(OCTAL).group(), 8);
            default -> itself(letter);
        };
    }

    private int itself(int letter) {
        if (letter < 128 && Character.isLetterOrDigit(letter)) {
            throw unsupported("has the escape \\" + (char) letter + ", which cannot be searched for");
        }
        return letter;
    }

    private int hex() {
        Matcher digits = taken(HEX);
        String hex = digits.group(1) == null ? "0" + digits.group(2) : digits.group(1);
        int character = Integer.parseInt(hex, 16);
        boolean isSurrogate = character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
        if (character > Character.MAX_CODE_POINT || isSurrogate) {
            throw malformed("names a character that does not exist");
        }
        return character;
    }

    /** Reads a property such as {@code \p{Lu}}, and returns it in RE2's spelling. */
    String property(int letter) {
        Matcher property = PROPERTY.matcher(pattern).region(at, pattern.length());
        String name = property.lookingAt() ? String.valueOf(property.group(property.group(1) == null ? 3 : 1)) : "";
        if (!Re2Translator.CATEGORIES.contains(name)) {
            throw unsupported("names an unknown property");
        }
        at = property.end();
        boolean negated = (letter == 'P') != "^".equals(property.group(2));
        return (negated ? "\\P{" : "\\p{") + name + "}";
    }

    private Matcher taken(Pattern expected) {
        Matcher matcher = expected.matcher(pattern).region(at, pattern.length());
        if (!matcher.lookingAt()) {
            throw malformed("has an unfinished escape");
        }
        at = matcher.end();
        return matcher;
    }

    QuerySyntaxException malformed(String why) {
        return new QuerySyntaxException("The regular expression '" + Excerpt.of(pattern) + "' " + why);
    }

    QueryNotSupportedException unsupported(String why) {
        return new QueryNotSupportedException("The regular expression '" + Excerpt.of(pattern) + "' " + why);
    }
}
