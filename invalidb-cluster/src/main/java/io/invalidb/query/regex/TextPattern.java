package io.invalidb.query.regex;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.invalidb.query.Excerpt;
import io.invalidb.query.QueryNotSupportedException;
import io.invalidb.query.QuerySyntaxException;
import io.invalidb.query.StepBudget;
import io.invalidb.query.value.BsonOrder;
import io.invalidb.query.value.StepCost;
import java.util.Optional;
import org.bson.BsonRegularExpression;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A regular expression with MongoDB's options {@code i m s x}, searched in linear time (RE2) at the
 * cost of a budget. It matches strings and symbols, and an equal stored regular expression.
 * Immutable.
 */
public final class TextPattern {

    /** Cost of a search before its first character, in steps. */
    private static final long STEPS_PER_SEARCH = 20;

    private static final long MAX_UNCOUNTED_STEPS = 1_000;

    private final String pattern;
    private final String options;
    private final LiteralPrefix prefix;

    /** Compiled pattern; absent if the test of the prefix is sufficient. */
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
    public static TextPattern of(String pattern, String options) {
        if (pattern.indexOf('\0') >= 0) {
            throw new QuerySyntaxException("A regular expression has no NUL character");
        }
        return new TextPattern(pattern, requireKnown(options));
    }

    private static String requireKnown(String options) {
        if (!options.chars().allMatch(PatternOptions::isKnown)) {
            throw new QuerySyntaxException("$options supports only i, m, s and x, not '" + Excerpt.of(options) + "'");
        }
        return options;
    }

    private static Pattern compile(String pattern, String options) {
        String translated = Re2Translator.toRe2(pattern, options);
        try {
            return Pattern.compile(translated);
        } catch (PatternSyntaxException e) {
            throw new QueryNotSupportedException(
                    "The regular expression '" + Excerpt.of(pattern) + "' cannot be run: " + e.getDescription());
        }
    }

    /** Returns whether the value matches; fails if the budget is used up. */
    public boolean isFoundIn(BsonValue value, StepBudget stepBudget) {
        if (value instanceof BsonRegularExpression stored) {
            return stored.getPattern().equals(pattern) && stored.getOptions().equals(options);
        }
        return BsonOrder.isText(value) && isFoundIn(BsonOrder.text(value), stepBudget);
    }

    private boolean isFoundIn(String text, StepBudget stepBudget) {
        stepBudget.spend(1 + StepCost.ofText(prefix.text().length()));
        return text.startsWith(prefix.text()) && (compiled == null || search(compiled, text, stepBudget));
    }

    /** Searches a text. Most searches are too short for counting their steps. */
    private static boolean search(Pattern pattern, String text, StepBudget stepBudget) {
        long most = stepsPerCharacter(pattern) * text.length();
        boolean isCounted = most > MAX_UNCOUNTED_STEPS;
        stepBudget.spend(STEPS_PER_SEARCH + (isCounted ? StepCost.ofText(text.length()) : most));
        CharSequence searched = isCounted ? new MeteredText(text, stepsPerCharacter(pattern), stepBudget) : text;
        return pattern.matcher(searched).find();
    }

    /**
     * Returns the cost of a character. The first instruction fails and the last succeeds; the
     * automaton itself costs as much as a few.
     */
    private static long stepsPerCharacter(Pattern pattern) {
        return Math.max(3, pattern.programSize() - 2);
    }

    /** Returns the prefix of all matching texts; empty if it is unknown. */
    public Optional<String> prefix() {
        return prefix.text().isEmpty() ? Optional.empty() : Optional.of(prefix.text());
    }

    public String pattern() {
        return pattern;
    }

    /**
     * Returns the options as given: a stored regular expression matches only if spelled equally.
     */
    public String options() {
        return options;
    }

    public BsonRegularExpression toBson() {
        return new BsonRegularExpression(pattern, options);
    }
}
