package io.invalidb.query;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Rewrites what the regular expressions of MongoDB (PCRE) and RE2 spell differently: blanks and comments under option
 * {@code x}, and {@code $}, which also stands before a line feed at the end. Refuses patterns whose repetitions would unfold
 * to large programs. Used once per pattern.
 */
final class PatternTranslator {

    private static final int MAX_LENGTH = 1_000;

    /** Instructions; searching takes time proportional to them and to the text. */
    private static final long MAX_PROGRAM = 1_000;

    private static final Pattern REPETITION = Pattern.compile("\\{(\\d{1,4})(?:,(\\d{0,4}))?}");

    private static final Pattern SWITCHES_LINES = Pattern.compile("\\(\\?[a-zA-Z]*m");

    private final String pattern;
    private final boolean extended;
    private final boolean dollarIsEnd;
    private final StringBuilder out = new StringBuilder();
    private final Deque<Long> openGroups = new ArrayDeque<>();
    private int at = 0;

    /** Instructions of the innermost open group before its last atom. */
    private long before = 0;

    private long lastAtom = 0;

    private PatternTranslator(String pattern, String options) {
        this.pattern = pattern;
        this.extended = options.contains("x");
        this.dollarIsEnd =
                !options.contains("m") && !SWITCHES_LINES.matcher(pattern).find();
    }

    static String toRe2(String pattern, String options) {
        if (pattern.length() > MAX_LENGTH) {
            throw new QueryNotSupportedException(
                    "The regular expression '" + Excerpt.of(pattern) + "' is longer than " + MAX_LENGTH);
        }
        return new PatternTranslator(pattern, options).translate();
    }

    private String translate() {
        while (at < pattern.length()) {
            step(pattern.charAt(at));
            requireSmall();
        }
        return out.toString();
    }

    private void requireSmall() {
        if (before + lastAtom > MAX_PROGRAM) {
            throw new QueryNotSupportedException(
                    "The regular expression '" + Excerpt.of(pattern) + "' repeats too much to be run");
        }
    }

    private void step(char c) {
        switch (c) {
            case '\\' -> copyEscape();
            case '[' -> copyClass();
            case '(' -> openGroup();
            case ')' -> closeGroup();
            case '{' -> copyRepetition();
            case '$' -> atom(1, dollarIsEnd ? "(?:\\n?\\z)" : "$");
            case '*', '+', '?' -> {
                lastAtom++;
                copy(1);
            }
            default -> copyOrSkip(c);
        }
    }

    private void copyOrSkip(char c) {
        if (extended && c == '#') {
            int end = pattern.indexOf('\n', at);
            at = end < 0 ? pattern.length() : end + 1;
        } else if (extended && " \t\n\u000b\f\r".indexOf(c) >= 0) {
            skipBlank();
        } else {
            atom(1, String.valueOf(c));
        }
    }

    private void skipBlank() {
        at++;
        if (out.toString().endsWith("(") && at < pattern.length() && pattern.charAt(at) == '?') {
            throw new QueryNotSupportedException(
                    "The regular expression '" + Excerpt.of(pattern) + "' has a blank inside '(?'");
        }
    }

    private void atom(int consumed, String written) {
        before += lastAtom;
        lastAtom = 1;
        out.append(written);
        at += consumed;
    }

    private void copy(int characters) {
        int end = Math.min(at + characters, pattern.length());
        out.append(pattern, at, end);
        at = end;
    }

    /** Takes {@code \p{Greek}} and {@code \x{41}} whole, so that their braces are no repetition. */
    private void copyEscape() {
        before += lastAtom;
        lastAtom = 1;
        if (pattern.startsWith("\\Q", at)) {
            copyQuotation();
        } else {
            boolean braced = pattern.startsWith("{", at + 2) && "pPxgkNo".indexOf(pattern.charAt(at + 1)) >= 0;
            copy(braced ? lengthTo("}", at) : 2);
        }
    }

    private void copyQuotation() {
        int length = lengthTo("\\E", at);
        before += length;
        copy(length);
    }

    private int lengthTo(String end, int from) {
        int found = pattern.indexOf(end, from);
        return (found < 0 ? pattern.length() : found + end.length()) - from;
    }

    private void copyClass() {
        int end = at + (pattern.startsWith("[^", at) ? 2 : 1);
        end += pattern.startsWith("]", end) ? 1 : 0;
        while (end < pattern.length() && pattern.charAt(end) != ']') {
            end = afterClassItem(end);
        }
        before += lastAtom;
        lastAtom = 1;
        copy(end + 1 - at);
    }

    private int afterClassItem(int from) {
        if (pattern.startsWith("[:", from)) {
            int end = pattern.indexOf(":]", from);
            return end < 0 ? from + 1 : end + 2;
        }
        return from + (pattern.charAt(from) == '\\' ? 2 : 1);
    }

    private void openGroup() {
        openGroups.push(before + lastAtom);
        before = 0;
        lastAtom = 2;
        copy(pattern.startsWith("(?", at) ? 2 : 1);
    }

    private void closeGroup() {
        lastAtom += before;
        before = openGroups.isEmpty() ? 0 : openGroups.pop();
        copy(1);
    }

    private void copyRepetition() {
        Matcher repetition = REPETITION.matcher(pattern).region(at, pattern.length());
        if (!repetition.lookingAt()) {
            atom(1, "{");
            return;
        }
        String most = repetition.group(2);
        int times = Integer.parseInt(most == null || most.isEmpty() ? repetition.group(1) : most);
        lastAtom = Math.max(1, lastAtom) * Math.max(1, times);
        copy(repetition.end() - at);
    }
}
