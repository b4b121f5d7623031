package io.orestes.read.response;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The consistency that a response must have: a level and a maximum age of copies. The header {@code
 * Orestes-Consistency} or the setting of a class states it.
 *
 * @param level the sources that may answer
 * @param maxAgeSeconds maximum age of a copy; {@link #UNLIMITED} if only its time to live counts
 */
public record Consistency(ConsistencyLevel level, int maxAgeSeconds) {

    public static final int UNLIMITED = Integer.MAX_VALUE;

    /** The default consistency. */
    public static final Consistency BOUNDED = new Consistency(ConsistencyLevel.BOUNDED, UNLIMITED);

    public static final Consistency FRESH = new Consistency(ConsistencyLevel.FRESH, 0);

    private static final Pattern FORM =
            Pattern.compile("(any|fresh|bounded)(?:[ \\t]*;[ \\t]*max-age=(\\d{1,9}))?", Pattern.CASE_INSENSITIVE);

    /** The consistency levels of a response, from any cached copy to a fresh read of the store. */
    public enum ConsistencyLevel {
        /** Caches answer, also while they fetch a newer copy or cannot get one. */
        ANY,
        /** Caches answer as long as the copy lives. */
        BOUNDED,
        /** The store answers. */
        FRESH
    }

    /**
     * Parses {@code any}, {@code bounded}, {@code bounded; max-age=<seconds>} or {@code fresh};
     * empty if it is none of them.
     */
    public static Optional<Consistency> parse(String text) {
        Matcher form = FORM.matcher(text.strip());
        return form.matches()
                ? of(ConsistencyLevel.valueOf(form.group(1).toUpperCase(Locale.ROOT)), form.group(2))
                : Optional.empty();
    }

    private static Optional<Consistency> of(ConsistencyLevel level, @Nullable String maxAgeSeconds) {
        return switch (level) {
            case ANY -> Optional.of(new Consistency(level, UNLIMITED)).filter(any -> maxAgeSeconds == null);
            case FRESH -> Optional.of(FRESH).filter(fresh -> maxAgeSeconds == null);
            case BOUNDED ->
                Optional.of(maxAgeSeconds == null ? BOUNDED : new Consistency(level, Integer.parseInt(maxAgeSeconds)));
        };
    }

    /** Returns whether no cached copy is allowed. */
    public boolean isFresh() {
        return maxAgeSeconds == 0;
    }

    /** Returns whether a copy may be too old although its time to live has not ended. */
    public boolean isLimited() {
        return maxAgeSeconds != UNLIMITED;
    }
}
