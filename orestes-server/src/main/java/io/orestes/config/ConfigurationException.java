package io.orestes.config;

import java.util.List;

/** Signals a wrong configuration, with one line for each error. */
public final class ConfigurationException extends RuntimeException {

    private final transient List<String> mistakes;

    ConfigurationException(List<String> mistakes) {
        super(String.join("\n", mistakes), null, false, false);
        this.mistakes = List.copyOf(mistakes);
    }

    /** Returns the errors, at least one, each a sentence that names the flag or variable. */
    public List<String> mistakes() {
        return mistakes;
    }
}
