package io.invalidb.query.regex;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/** A set of Unicode code points, built up from ranges. */
final class CodePointSet {

    private static final String DIGITS = "09";
    private static final String LETTERS = "AZaz";

    /** Named classes, as pairs of first and last character; PCRE defines them for ASCII only. */
    private static final Map<String, String> NAMED = Map.ofEntries(
            Map.entry("alnum", DIGITS + LETTERS),
            Map.entry("alpha", LETTERS),
            Map.entry("ascii", "\0\u007f"),
            Map.entry("blank", "\t\t  "),
            Map.entry("cntrl", "\0\u001f\u007f\u007f"),
            Map.entry("digit", DIGITS),
            Map.entry("graph", "!~"),
            Map.entry("lower", "az"),
            Map.entry("print", " ~"),
            Map.entry("punct", "!/:@[`{~"),
            Map.entry("space", "\t\r  "),
            Map.entry("upper", "AZ"),
            Map.entry("word", DIGITS + LETTERS + "__"),
            Map.entry("xdigit", DIGITS + "AFaf"));

    private static final String HORIZONTAL =
            "\t\t  \u00a0\u00a0\u1680\u1680\u180e\u180e\u2000\u200a\u202f\u202f\u205f\u205f\u3000\u3000";
    private static final String VERTICAL = "\n\r\u0085\u0085\u2028\u2029";

    /** Ranges from first to last character; they neither touch nor overlap. */
    private final TreeMap<Integer, Integer> ranges = new TreeMap<>();

    static boolean isNamed(String name) {
        return NAMED.containsKey(name);
    }

    /** Returns the characters of a POSIX class, e.g. {@code alpha}. */
    static CodePointSet named(String name) {
        return pairs(NAMED.getOrDefault(name, ""));
    }

    /**
     * Returns the characters of an escaped lower-case letter: {@code d}, {@code w}, {@code s},
     * {@code h} or {@code v}.
     */
    static CodePointSet escaped(char letter) {
        return switch (letter) {
            case 'd' -> named("digit");
            case 'w' -> named("word");
            case 's' -> named("space");
            case 'h' -> pairs(HORIZONTAL);
            default -> pairs(VERTICAL);
        };
    }

    private static CodePointSet pairs(String pairs) {
        CodePointSet set = new CodePointSet();
        for (int i = 0; i < pairs.length(); i += 2) {
            set.add(pairs.charAt(i), pairs.charAt(i + 1));
        }
        return set;
    }

    static CodePointSet of(int character) {
        CodePointSet set = new CodePointSet();
        set.add(character, character);
        return set;
    }

    void add(int first, int last) {
        int from = first;
        int to = last;
        Map.Entry<Integer, Integer> near = ranges.floorEntry(to + 1);
        while (near != null && near.getValue() >= from - 1) {
            from = Math.min(from, near.getKey());
            to = Math.max(to, near.getValue());
            ranges.remove(near.getKey());
            near = ranges.floorEntry(to + 1);
        }
        ranges.put(from, to);
    }

    void addAll(CodePointSet others) {
        others.ranges.forEach(this::add);
    }

    CodePointSet complement() {
        CodePointSet rest = new CodePointSet();
        int next = 0;
        for (Map.Entry<Integer, Integer> range : ranges.entrySet()) {
            if (next < range.getKey()) {
                rest.add(next, range.getKey() - 1);
            }
            next = range.getValue() + 1;
        }
        if (next <= Character.MAX_CODE_POINT) {
            rest.add(next, Character.MAX_CODE_POINT);
        }
        return rest;
    }

    /** Returns these characters and all that differ from one of them in case alone. */
    CodePointSet inAnyCase() {
        CodePointSet folded = new CodePointSet();
        folded.addAll(this);
        CaseVariants.all().forEach((character, variants) -> {
            if (contains(character)) {
                variants.forEach(variant -> folded.add(variant, variant));
            }
        });
        return folded;
    }

    private boolean contains(int character) {
        Map.Entry<Integer, Integer> range = ranges.floorEntry(character);
        return range != null && range.getValue() >= character;
    }

    /** Returns a class of RE2 that no option changes. */
    String toRe2() {
        StringBuilder written = new StringBuilder("[");
        if (ranges.isEmpty()) {
            return "[^\\x{0}-\\x{10ffff}]";
        }
        ranges.forEach(
                (first, last) -> written.append(escape(first)).append('-').append(escape(last)));
        return written.append(']').toString();
    }

    /** Returns one character in a form that RE2 reads literally everywhere. */
    static String escape(int character) {
        IntPredicate plain = c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        return plain.test(character) ? Character.toString(character) : "\\x{" + Integer.toHexString(character) + "}";
    }

    /** Returns the cost to look a character up: one for each few ranges. */
    int size() {
        return 1 + ranges.size() / 16;
    }
}
