package io.invalidb.query;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.Optional;
import org.bson.BsonRegularExpression;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A regular expression with MongoDB's options {@code i m s x}, searched in time linear in the text (RE2). It is found in
 * strings and symbols, and in a stored regular expression that is the same. Immutable.
 */
final class TextPattern {

    private final String pattern;
    private final String options;
    private final LiteralPrefix prefix;

    /** Absent when looking at the prefix is enough. */
    private final @Nullable Pattern compiled;

    private TextPattern(String pattern, String options) {
        this.pattern = pattern;
        this.options = options;
        this.prefix = LiteralPrefix.of(pattern, options);
        this.compiled = prefix.isAll() ? null : compile(pattern, options);
    }

    /**
     * Compiles a regular expression.
     *
     * @param options in any order
     * @throws QuerySyntaxException if it is malformed or an option is unknown
     * @throws QueryNotSupportedException if it is too large or cannot be searched in linear time
     */
    static TextPattern of(String pattern, String options) {
        if (pattern.indexOf('\0') >= 0) {
            throw new QuerySyntaxException("A regular expression holds no NUL character");
        }
        return new TextPattern(pattern, requireKnown(options));
    }

    private static String requireKnown(String options) {
        if (!options.chars().allMatch(PatternOptions::isKnown)) {
            throw new QuerySyntaxException("$options knows only i, m, s and x, not '" + Excerpt.of(options) + "'");
        }
        return options;
    }

    private static Pattern compile(String pattern, String options) {
        String translated = PatternTranslator.toRe2(pattern, options);
        try {
            return Pattern.compile(translated);
        } catch (PatternSyntaxException e) {
            throw new QueryNotSupportedException(
                    "The regular expression '" + Excerpt.of(pattern) + "' cannot be run: " + e.getDescription());
        }
    }

    boolean isFoundIn(BsonValue value) {
        if (value instanceof BsonRegularExpression stored) {
            return stored.getPattern().equals(pattern) && stored.getOptions().equals(options);
        }
        return ValueTest.isText(value) && isFoundIn(BsonOrder.text(value));
    }

    private boolean isFoundIn(String text) {
        return compiled == null
                ? text.startsWith(prefix.text())
                : text.startsWith(prefix.text()) && compiled.matcher(text).find();
    }

    /** What all text that matches begins with; empty if that is not known. */
    Optional<String> prefix() {
        return prefix.text().isEmpty() ? Optional.empty() : Optional.of(prefix.text());
    }

    String pattern() {
        return pattern;
    }

    /** As given: a stored regular expression is found only by the same spelling. */
    String options() {
        return options;
    }

    BsonRegularExpression toBson() {
        return new BsonRegularExpression(pattern, options);
    }
}
