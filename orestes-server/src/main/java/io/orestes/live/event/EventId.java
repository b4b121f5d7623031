package io.orestes.live.event;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The identifier of an event in the sequence of one live query, after which a client can resume. It
 * is written {@code <epoch>.<sequence>}, with {@code .<result>} behind it as long as the initial
 * result may contain more writes than the events so far.
 *
 * @param epoch identifies one lifetime of the query on one server; positions of other epochs
 *     are not comparable
 * @param sequence number of events up to and including this one
 * @param result number of the initial result on which the events build; 0 once every write that
 *     it could include early was reported
 */
public record EventId(String epoch, long sequence, long result) {

    private static final Pattern FORM = Pattern.compile("([0-9a-f]{16})\\.(\\d{1,18})(?:\\.(\\d{1,18}))?");

    /** Parses the text form; empty for anything else. */
    public static Optional<EventId> parse(String text) {
        Matcher parts = FORM.matcher(text);
        return parts.matches() ? Optional.of(parsed(parts)) : Optional.empty();
    }

    /** Returns whether all clients that received this event have the same result. */
    public boolean isResultShared() {
        return result == 0;
    }

    public EventId withResult(long other) {
        return new EventId(epoch, sequence, other);
    }

    @Override
    public String toString() {
        return epoch + "." + sequence + (isResultShared() ? "" : "." + result);
    }

    private static EventId parsed(Matcher parts) {
        String result = parts.group(3);
        return new EventId(parts.group(1), Long.parseLong(parts.group(2)), result == null ? 0 : Long.parseLong(result));
    }
}
