package io.orestes.config;

import org.jspecify.annotations.Nullable;

/**
 * A configuration key with its description, its effective value and the source of that value.
 *
 * @param value the value as text; {@code null} for a secret, whether or not it is set
 * @param isSecret true if the value is never shown
 */
public record EffectiveSetting(
        String key,
        String type,
        String standard,
        String description,
        Source source,
        boolean isSecret,
        @Nullable String value) {

    /** The sources of values. */
    public enum Source {
        FLAG("flag"),
        ENVIRONMENT("environment"),
        DEFAULT("default");

        private final String key;

        Source(String key) {
            this.key = key;
        }

        /** Returns the name in responses. */
        public String key() {
            return key;
        }
    }

    /** Returns whether a flag or variable sets it. */
    public boolean isSet() {
        return source != Source.DEFAULT;
    }
}
