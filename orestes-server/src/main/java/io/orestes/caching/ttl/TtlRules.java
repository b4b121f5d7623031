package io.orestes.caching.ttl;

import io.orestes.config.Settings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The rules for times to live by class, with a default for classes without a rule.
 *
 * @param standard rule for classes without their own
 * @param byClass rules by name of the class
 */
public record TtlRules(TtlRule standard, Map<String, TtlRule> byClass) {

    /** Rules that estimate for every class. */
    public static final TtlRules ESTIMATED = new TtlRules(new TtlRule.EstimatedTtl(), Map.of());

    private static final String BEFORE_CLASS = "/db/";

    public TtlRules {
        byClass = Map.copyOf(byClass);
    }

    /**
     * Parses rules separated by commas, each {@code auto}, {@code off}, a duration such as
     * {@code 30s}, or one for browsers and one for shared caches such as {@code 30s/10m}. A rule
     * for one class has its name in front, as in {@code Log=off}.
     *
     * @return empty if that is no such list, or if a duration is no whole number of seconds
     *     from 1 to its maximum
     */
    public static Optional<TtlRules> parse(String text, Duration browserMax, Duration sharedMax) {
        TtlRule standard = ESTIMATED.standard();
        Map<String, TtlRule> byClass = new HashMap<>();
        for (String part : text.split(",", -1)) {
            int sign = part.indexOf('=');
            Optional<TtlRule> rule = rule(part.substring(sign + 1).strip(), browserMax, sharedMax);
            if (rule.isEmpty()) {
                return Optional.empty();
            } else if (sign < 0) {
                standard = rule.get();
            } else {
                byClass.put(part.substring(0, sign).strip(), rule.get());
            }
        }
        return Optional.of(new TtlRules(standard, byClass));
    }

    /** Returns the rule for an object or a query by its key, e.g. {@code /db/Todo/a}. */
    TtlRule of(String key) {
        return byClass.isEmpty() ? standard : ofClass(bucket(key));
    }

    TtlRule ofClass(String bucket) {
        return byClass.getOrDefault(bucket, standard);
    }

    private static String bucket(String key) {
        int end = key.indexOf('/', BEFORE_CLASS.length());
        return key.startsWith(BEFORE_CLASS) && end > 0 ? key.substring(BEFORE_CLASS.length(), end) : "";
    }

    private static Optional<TtlRule> rule(String text, Duration browserMax, Duration sharedMax) {
        return switch (text) {
            case "auto" -> Optional.of(new TtlRule.EstimatedTtl());
            case "off" -> Optional.of(TtlRule.OFF);
            default -> fixed(text.split("/", -1), browserMax, sharedMax);
        };
    }

    private static Optional<TtlRule> fixed(String[] durations, Duration browserMax, Duration sharedMax) {
        Optional<Integer> browser = seconds(durations[0], browserMax);
        Optional<Integer> shared = seconds(durations[durations.length - 1], sharedMax);
        return durations.length > 2
                ? Optional.empty()
                : browser.flatMap(own -> shared.map(others -> new TtlRule.FixedTtl(new Ttls(own, others))));
    }

    private static Optional<Integer> seconds(String text, Duration max) {
        return Settings.parseDuration(text)
                .filter(duration -> duration.toMillis() % 1000 == 0)
                .filter(duration -> duration.toSeconds() >= 1 && duration.compareTo(max) <= 0)
                .map(duration -> (int) duration.toSeconds());
    }
}
