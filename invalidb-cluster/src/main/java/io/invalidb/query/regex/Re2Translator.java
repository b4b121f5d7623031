package io.invalidb.query.regex;

import io.invalidb.query.Excerpt;
import io.invalidb.query.QueryNotSupportedException;
import java.util.Set;

/**
 * The translator of regular expressions from PCRE, which MongoDB uses, to RE2. The translated
 * expression finds the same texts and depends on no option. The translator refuses patterns that
 * RE2 does not support or treats differently, and those that would unfold to a large program. Used
 * once per pattern.
 */
final class Re2Translator {

    private static final int MAX_LENGTH = 1_000;
    private static final int MAX_DEPTH = 100;

    /** Maximum number of instructions; a search takes time proportional to them and to the text. */
    private static final long MAX_PROGRAM = 1_000;

    private static final int MAX_REPETITIONS = 65_535;

    private final PatternScanner in;
    private final StringBuilder out = new StringBuilder();
    private boolean hasAssertions = false;
    private boolean hasLineStartsWithin = false;
    private int depth = 0;

    private Re2Translator(String pattern) {
        this.in = new PatternScanner(pattern);
    }

    static String toRe2(String pattern, String options) {
        if (pattern.length() > MAX_LENGTH) {
            throw new QueryNotSupportedException(
                    "The regular expression '" + Excerpt.of(pattern) + "' is longer than " + MAX_LENGTH);
        }
        return new Re2Translator(pattern).translate(PatternOptions.of(options));
    }

    /**
     * The translation of a part of the pattern.
     *
     * @param size number of instructions
     * @param consumes true if it cannot match the empty text
     * @param isAssertion true if it always matches the empty text, so that it cannot be repeated
     * @param isEnd true if it may match at the end of the text only, so that nothing may follow
     * @param isLineStart true if it may end with the start of a line that nothing follows yet
     */
    private record Part(long size, boolean consumes, boolean isAssertion, boolean isEnd, boolean isLineStart) {

        static final Part NOTHING = new Part(0, false, false, false, false);
        static final Part ASSERTION = new Part(1, false, true, false, false);
        static final Part END = new Part(2, false, true, true, false);
        static final Part LINE_START = new Part(1, false, true, false, true);

        static Part character(int size) {
            return new Part(size, true, false, false, false);
        }

        Part then(Part next) {
            return new Part(
                    size + next.size,
                    consumes || next.consumes,
                    false,
                    isEnd || next.isEnd,
                    next.isLineStart || (isLineStart && !next.consumes));
        }

        Part or(Part other) {
            return new Part(
                    size + other.size + 1,
                    consumes && other.consumes,
                    false,
                    isEnd || other.isEnd,
                    isLineStart || other.isLineStart);
        }

        Part repeated(long least, long most) {
            return new Part(Math.max(1, size) * Math.max(1, most), consumes && least > 0, false, isEnd, isLineStart);
        }
    }

    private String translate(PatternOptions options) {
        Part whole = alternatives(options);
        if (in.hasMore()) {
            throw in.malformed("has an unopened ')'");
        }
        boolean mayStartBehindLastLine = whole.isLineStart() && (hasAssertions || hasLineStartsWithin);
        if (mayStartBehindLastLine) {
            throw in.unsupported("uses '^' with lines that may be empty");
        }
        return out.toString();
    }

    /**
     * Translates alternatives up to a closing parenthesis or the end. An option set in one
     * alternative applies to the next ones, too.
     */
    private Part alternatives(PatternOptions options) {
        Sequence sequence = new Sequence(options);
        Part whole = sequence.read();
        while (in.skip("|")) {
            out.append('|');
            whole = whole.or(sequence.read());
        }
        return whole;
    }

    /** A sequence of parts, and its current options. */
    private final class Sequence {

        private PatternOptions options;
        private boolean isStart = true;

        Sequence(PatternOptions options) {
            this.options = options;
        }

        Part read() {
            Part sequence = Part.NOTHING;
            skipBlanks();
            while (in.hasMore() && in.peek() != '|' && in.peek() != ')') {
                Part next = repeated(atom());
                if (sequence.isEnd()) {
                    throw in.unsupported("has something behind '$'");
                }
                sequence = sequence.then(next);
                requireSmall(sequence);
                skipBlanks();
            }
            return sequence;
        }

        private void requireSmall(Part part) {
            if (part.size() > MAX_PROGRAM) {
                throw in.unsupported("repeats too much to be run");
            }
        }

        private void skipBlanks() {
            if (options.extended()) {
                in.skipBlanks();
            }
        }

        private Part atom() {
            int c = in.next();
            Part atom =
                    switch (c) {
                        case '(' -> group();
                        case '[' -> write(new CharacterClassReader(in, options.ignoreCase()).read());
                        case '.' ->
                            write(options.dotAll() ? CodePointSet.named("").complement() : notLineFeed());
                        case '^' -> start();
                        case '$' -> end(options.multiline());
                        case '\\' -> escape();
                        case '*', '+', '?' -> throw in.malformed("repeats nothing");
                        default -> c == '{' && in.repetitionBehindBrace().isPresent() ? nothingRepeated() : literal(c);
                    };
            isStart = false;
            return atom;
        }

        private Part nothingRepeated() {
            throw in.malformed("repeats nothing");
        }

        private CodePointSet notLineFeed() {
            return CodePointSet.of('\n').complement();
        }

        private Part literal(int character) {
            CodePointSet self = CodePointSet.of(character);
            return options.ignoreCase() && CaseVariants.of(character).size() > 1
                    ? write(self.inAnyCase())
                    : write(CodePointSet.escape(character), Part.character(1));
        }

        private Part start() {
            if (!options.multiline()) {
                return assertion("\\A");
            }
            hasLineStartsWithin |= !isStart || depth > 0;
            return write("(?m:^)", Part.LINE_START);
        }

        /** Translates an end anchor; RE2 has no end before a line feed at the end. */
        private Part end(boolean ofLine) {
            hasAssertions = true;
            return ofLine ? assertion("(?m:$)") : write("(?:\\n?\\z)", Part.END);
        }

        private Part assertion(String re2) {
            hasAssertions = true;
            return write(re2, Part.ASSERTION);
        }

        private Part write(CodePointSet characters) {
            return write(characters.toRe2(), Part.character(characters.size()));
        }

        private Part write(String re2, Part part) {
            out.append(re2);
            return part;
        }

        private Part escape() {
            if (!in.hasMore()) {
                throw in.malformed("ends with a backslash");
            }
            int c = in.next();
            return switch (c) {
                case 'A' -> assertion("\\A");
                case 'Z' -> end(false);
                case 'z' -> assertion("\\z");
                case 'b', 'B' -> assertion("\\" + (char) c);
                case 'd', 'w', 's', 'h', 'v' -> write(CodePointSet.escaped((char) c));
                case 'D', 'W', 'S', 'H', 'V' ->
                    write(CodePointSet.escaped(Character.toLowerCase((char) c)).complement());
                case 'N' -> write(notLineFeed());
                case 'p', 'P' -> write(in.property(c), Part.character(4));
                case 'Q' -> quotation();
                case 'E' -> Part.NOTHING;
                default -> literal(in.escaped(c));
            };
        }

        /** Translates a quotation; a repetition applies to its last character. */
        private Part quotation() {
            Part quotation = Part.NOTHING;
            while (!in.skip("\\E")) {
                if (!in.hasMore()) {
                    throw in.malformed("has an unfinished quotation");
                }
                Part character = literal(in.next());
                if (in.skip("\\E")) {
                    return quotation.then(repeated(character));
                }
                quotation = quotation.then(character);
            }
            return quotation;
        }

        private Part repeated(Part atom) {
            skipBlanks();
            PatternScanner.Repetition repetition =
                    in.repetition(options.extended()).orElse(null);
            if (repetition == null) {
                return atom;
            }
            if (atom.isAssertion() || atom.size() == 0) {
                throw in.unsupported("repeats what matches nothing");
            }
            if (atom.isEnd() && (repetition.isUnbounded() || repetition.most() > 1)) {
                throw in.unsupported("repeats '$'");
            }
            if (repetition.most() > MAX_REPETITIONS || repetition.least() > repetition.most()) {
                throw in.malformed("repeats too often");
            }
            out.append(repetition.toRe2());
            return atom.repeated(repetition.least(), repetition.copies());
        }

        private Part group() {
            if (++depth > MAX_DEPTH) {
                throw in.unsupported("is nested too deeply");
            }
            if (in.skip("*")) {
                throw in.unsupported("has a verb");
            }
            Part group = in.skip("?") ? special() : inside(options);
            depth--;
            return group;
        }

        private Part special() {
            if (in.skip("#")) {
                in.skipGroupComment();
                return Part.NOTHING;
            }
            if (in.skip(":") || in.skip("|")) {
                return inside(options);
            }
            if (in.skipName()) {
                return inside(options);
            }
            PatternOptions inner = in.options(options);
            if (in.skip(":")) {
                return inside(inner);
            }
            if (!in.skip(")")) {
                throw in.unsupported("has a group of a kind that cannot be searched in linear time");
            }
            options = inner;
            return Part.NOTHING;
        }

        private Part inside(PatternOptions inner) {
            out.append("(?:");
            Part group = alternatives(inner);
            if (!in.skip(")")) {
                throw in.malformed("has an unclosed '('");
            }
            out.append(')');
            return new Part(group.size() + 1, group.consumes(), false, group.isEnd(), group.isLineStart());
        }
    }

    /** Names of properties that both sides support. */
    static final Set<String> CATEGORIES = Set.of(
            "L",
            "Ll",
            "Lm",
            "Lo",
            "Lt",
            "Lu",
            "M",
            "Mc",
            "Me",
            "Mn",
            "N",
            "Nd",
            "Nl",
            "No",
            "P",
            "Pc",
            "Pd",
            "Pe",
            "Pf",
            "Pi",
            "Po",
            "Ps",
            "S",
            "Sc",
            "Sk",
            "Sm",
            "So",
            "Z",
            "Zl",
            "Zp",
            "Zs",
            "Greek",
            "Latin",
            "Cyrillic",
            "Hebrew",
            "Arabic",
            "Han",
            "Hiragana",
            "Katakana");
}
