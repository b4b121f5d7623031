package io.orestes.config;

import java.util.Optional;

/**
 * A configuration key with its description, its effective value and the source of that value.
 *
 * @param value the value as text; absent for a secret, whether or not it is set
 * @param isSecret whether nobody may see the value
 */
public record Setting(
        String key,
        String type,
        String standard,
        String description,
        Source source,
        boolean isSecret,
        Optional<String> value) {

    /** Where a value comes from. */
    public enum Source {
        FLAG("flag"),
        ENVIRONMENT("environment"),
        DEFAULT("default");

        private final String key;

        Source(String key) {
            this.key = key;
        }

        /** Its name in answers. */
        public String key() {
            return key;
        }
    }

    /** Whether somebody has set it. */
    public boolean isSet() {
        return source != Source.DEFAULT;
    }
}
