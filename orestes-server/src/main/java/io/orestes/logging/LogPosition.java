package io.orestes.logging;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The position of a reader in the log of one server process. Each process has a log of its own,
 * after a restart and on each server of a group. The numbers of one log mean nothing in another.
 *
 * @param sequence number of the last entry seen, 0 for none
 */
public record LogPosition(String log, long sequence) {

    private static final Pattern FORM = Pattern.compile("([0-9a-f]{1,16})\\.([0-9]{1,15})");

    /** Parses the text of {@link #toString}; empty for any other text. */
    public static Optional<LogPosition> parse(String text) {
        Matcher form = FORM.matcher(text);
        return form.matches()
                ? Optional.of(new LogPosition(form.group(1), Long.parseLong(form.group(2))))
                : Optional.empty();
    }

    @Override
    public String toString() {
        return log + "." + sequence;
    }
}
