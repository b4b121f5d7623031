package io.invalidb.query.regex;

/**
 * The reader of one character class of a regular expression, such as {@code [a-z]}. It starts
 * behind the opening bracket.
 */
final class CharacterClassReader {

    private final PatternScanner in;
    private final boolean ignoreCase;
    private final CodePointSet characters = new CodePointSet();

    /** Characters that only stand for themselves, even if case is ignored. */
    private final CodePointSet fixed = new CodePointSet();

    private boolean isQuoted = false;

    CharacterClassReader(PatternScanner in, boolean ignoreCase) {
        this.in = in;
        this.ignoreCase = ignoreCase;
    }

    CodePointSet read() {
        if (in.isPosixClass()) {
            throw in.malformed("has a named class outside of brackets");
        }
        boolean negated = in.skip("^");
        if (in.skip("]")) {
            rangeFrom(']');
        }
        while (!atEnd()) {
            item();
        }
        CodePointSet all = ignoreCase ? characters.inAnyCase() : characters;
        all.addAll(fixed);
        return negated ? all.complement() : all;
    }

    private boolean atEnd() {
        if (!in.hasMore()) {
            throw in.malformed("has an unclosed '['");
        }
        return !isQuoted && in.skip("]");
    }

    private void item() {
        if (isQuoted) {
            quoted();
        } else if (in.skip("[:")) {
            named();
        } else if (in.skip("[=") || in.skip("[.")) {
            throw in.unsupported("has a collating element");
        } else if (in.skip("\\")) {
            escaped();
        } else {
            rangeFrom(in.next());
        }
    }

    private void quoted() {
        if (in.skip("\\E")) {
            isQuoted = false;
        } else {
            int c = in.next();
            characters.add(c, c);
        }
    }

    private void named() {
        boolean negated = in.skip("^");
        StringBuilder name = new StringBuilder();
        while (in.hasMore() && Character.isLetter(in.peek())) {
            name.appendCodePoint(in.next());
        }
        if (!in.skip(":]") || !CodePointSet.isNamed(name.toString())) {
            throw in.unsupported("has a '[:' that names no class");
        }
        CodePointSet named = CodePointSet.named(inAnyCase(name.toString()));
        fixed.addAll(negated ? named.complement() : named);
    }

    private String inAnyCase(String name) {
        return ignoreCase && (name.equals("upper") || name.equals("lower")) ? "alpha" : name;
    }

    private void escaped() {
        if (!in.hasMore()) {
            throw in.malformed("has an unclosed '['");
        }
        int c = in.next();
        switch (c) {
            case 'd', 'w', 's', 'h', 'v' -> fixed.addAll(CodePointSet.escaped((char) c));
            case 'D', 'W', 'S', 'H', 'V' ->
                fixed.addAll(
                        CodePointSet.escaped(Character.toLowerCase((char) c)).complement());
            case 'Q' -> isQuoted = true;
            case 'E' -> {}
            case 'p', 'P' -> throw in.unsupported("has a property in a class");
            default -> rangeFrom(character(c));
        }
    }

    private int character(int escaped) {
        return escaped == 'b' ? '\b' : in.escaped(escaped);
    }

    private void rangeFrom(int first) {
        if (!in.skip("-")) {
            characters.add(first, first);
            return;
        }
        if (!in.hasMore()) {
            throw in.malformed("has an unclosed '['");
        }
        if (in.peek() == ']') {
            characters.add(first, first);
            characters.add('-', '-');
        } else {
            rangeTo(first, in.next());
        }
    }

    private void rangeTo(int first, int next) {
        int last = next == '\\' && in.hasMore() ? character(in.next()) : next;
        if (next == '[' && in.hasMore() && ":=.".indexOf(in.peek()) >= 0) {
            throw in.unsupported("has a range that ends with a class");
        }
        if (last < first) {
            throw in.malformed("has a range out of order");
        }
        characters.add(first, last);
    }
}
