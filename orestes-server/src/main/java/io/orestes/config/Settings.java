package io.orestes.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The typed reader of the configuration from flags and environment, which reports all errors
 * together. A setting is {@code --caching.max-ttl 60s} or {@code ORESTES_CACHING_MAX_TTL=60s}; a
 * flag takes precedence. Every wrong value is recorded and its default used until {@link #verify}
 * reports all of them. Used by one thread, at start.
 */
public final class Settings {

    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
    private static final Pattern BYTES = Pattern.compile("(\\d{1,9})(b|kb|mb|gb)?", Pattern.CASE_INSENSITIVE);

    private final Map<String, String> flags;
    private final Map<String, String> environment;
    private final Set<String> known = new LinkedHashSet<>();

    /** Default values of the keys that were not given, as text. */
    private final Map<String, String> standards = new HashMap<>();

    private final List<String> mistakes = new ArrayList<>();

    private Settings(Map<String, String> flags, Map<String, String> environment) {
        this.flags = flags;
        this.environment = environment;
    }

    /**
     * Parses flags of the forms {@code --key value}, {@code --key=value} and {@code --key} (for
     * true).
     *
     * @param environment e.g. {@code System.getenv()}; only names starting with {@code ORESTES_}
     *     are read
     */
    public static Settings of(List<String> arguments, Map<String, String> environment) {
        Map<String, String> flags = new HashMap<>();
        Settings settings = new Settings(flags, environment);
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (!argument.startsWith("--")) {
                settings.mistakes.add("Not a flag: " + argument);
            } else if (argument.contains("=")) {
                flags.put(argument.substring(2, argument.indexOf('=')), argument.substring(argument.indexOf('=') + 1));
            } else if (i + 1 < arguments.size() && !arguments.get(i + 1).startsWith("--")) {
                flags.put(argument.substring(2), arguments.get(++i));
            } else {
                flags.put(argument.substring(2), "true");
            }
        }
        return settings;
    }

    /**
     * Returns the environment variable of a key: {@code caching.max-ttl} is {@code
     * ORESTES_CACHING_MAX_TTL}.
     */
    public static String variable(String key) {
        return "ORESTES_" + key.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
    }

    /** Returns any text; empty counts as absent. */
    public Optional<String> text(String key) {
        known.add(key);
        return Optional.ofNullable(flags.getOrDefault(key, environment.get(variable(key))))
                .filter(value -> !value.isEmpty());
    }

    /** Returns any text. */
    public String text(String key, String fallback) {
        standards.put(key, fallback);
        return text(key).orElse(fallback);
    }

    /** Returns the source of a key's value; empty text counts as not given. */
    public EffectiveSetting.Source source(String key) {
        if (text(key).isEmpty()) {
            return EffectiveSetting.Source.DEFAULT;
        }
        return flags.containsKey(key) ? EffectiveSetting.Source.FLAG : EffectiveSetting.Source.ENVIRONMENT;
    }

    /** Returns the value of a key that was read, as text; empty if there is none. */
    public String value(String key) {
        return text(key).orElseGet(() -> standards.getOrDefault(key, ""));
    }

    /** Returns an integer between the bounds, both inclusive. */
    public int count(String key, int fallback, int least, int most) {
        return parse(
                key, fallback, "a whole number from " + least + " to " + most, value -> inRange(value, least, most));
    }

    /** Parses a time with its unit, as part of a text. */
    public static Optional<Duration> parseDuration(String value) {
        Matcher parts = DURATION.matcher(value);
        return parts.matches()
                ? Optional.of(duration(Long.parseLong(parts.group(1)), parts.group(2)))
                : Optional.empty();
    }

    /**
     * Returns a time with its unit: {@code 250ms}, {@code 15s}, {@code 10m}, {@code 1h}, {@code
     * 30d}.
     */
    public Duration duration(String key, Duration fallback) {
        return parse(key, fallback, "a duration such as 250ms, 15s, 10m, 1h or 30d", Settings::parseDuration);
    }

    /** Returns a time span; a shorter one than {@code least} counts as that. */
    public Duration duration(String key, Duration fallback, Duration least) {
        Duration configured = duration(key, fallback);
        return configured.compareTo(least) < 0 ? least : configured;
    }

    /**
     * Returns a size in bytes, with a unit or without: {@code 4096}, {@code 512kb}, {@code 1mb}
     * (powers of 1024).
     */
    public long bytes(String key, long fallback) {
        return parse(key, fallback, "a size such as 4096, 512kb or 1mb", Settings::bytes);
    }

    /** Returns {@code true} or {@code false}. */
    public boolean flag(String key) {
        return parse(key, false, "true or false", Settings::truth);
    }

    /** Returns a path of the file system, relative to the working directory of the process. */
    public Path path(String key, Path fallback) {
        standards.put(key, fallback.toString());
        return text(key).map(Path::of).orElse(fallback);
    }

    /** Returns two numbers as {@code 2x4}, each from 1 to {@code most}. */
    public int[] grid(String key, int[] fallback, int most) {
        return parse(key, fallback, "two numbers from 1 to " + most + " such as 2x4", value -> grid(value, most));
    }

    /** Records an error that only the owner of a key can detect. */
    public void reject(String key, String why) {
        mistakes.add(where(key) + " " + why);
    }

    /** Fails if any value is wrong, naming all errors; to be called after everything was read. */
    public void verify() {
        flags.keySet().stream()
                .filter(flag -> !known.contains(flag))
                .sorted()
                .forEach(flag -> mistakes.add("Unknown flag --" + flag));
        if (!mistakes.isEmpty()) {
            throw new ConfigurationException(mistakes);
        }
    }

    /** Returns every key that was read, in that order. */
    public Set<String> keys() {
        return known;
    }

    private <T> T parse(String key, T fallback, String expected, Function<String, Optional<T>> parser) {
        standards.put(key, SettingSerializer.of(fallback));
        Optional<String> value = text(key);
        if (value.isEmpty()) {
            return fallback;
        }
        return value.flatMap(parser).orElseGet(() -> {
            mistakes.add(where(key) + " is not " + expected + ": " + value.get());
            return fallback;
        });
    }

    private String where(String key) {
        return flags.containsKey(key) ? "--" + key : variable(key);
    }

    private static Optional<Integer> inRange(String value, int least, int most) {
        try {
            return Optional.of(Integer.parseInt(value)).filter(number -> number >= least && number <= most);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Duration duration(long amount, String unit) {
        return switch (unit) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }

    private static Optional<Long> bytes(String value) {
        Matcher parts = BYTES.matcher(value);
        return parts.matches()
                ? Optional.of(Long.parseLong(parts.group(1)) * unit(parts.group(2) == null ? "b" : parts.group(2)))
                : Optional.empty();
    }

    private static long unit(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "kb" -> 1L << 10;
            case "mb" -> 1L << 20;
            case "gb" -> 1L << 30;
            default -> 1L;
        };
    }

    private static Optional<Boolean> truth(String value) {
        return value.equals("true") || value.equals("false") ? Optional.of(value.equals("true")) : Optional.empty();
    }

    private static Optional<int[]> grid(String value, int most) {
        String[] parts = value.split("x", -1);
        if (parts.length != 2) {
            return Optional.empty();
        }
        return inRange(parts[0], 1, most)
                .flatMap(rows -> inRange(parts[1], 1, most).map(columns -> new int[] {rows, columns}));
    }
}
