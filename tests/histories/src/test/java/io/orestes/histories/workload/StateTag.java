package io.orestes.histories.workload;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of a state, and the time at which it was committed. No other state of the object has
 * that time, also in another life.
 *
 * @param version 0 if the object is absent
 * @param time in milliseconds; empty if it is unknown
 */
record StateTag(long version, OptionalLong time) {

    private static final int BASE = 36;
    private static final Pattern ETAG = Pattern.compile("\"(\\d+)--([0-9a-z]+)_[0-9a-z]+\"");

    /** Returns the time in the tag of an answer that shows an object; empty otherwise. */
    static OptionalLong timeIn(Answer answer) {
        Optional<Matcher> whole = answer.etag().map(ETAG::matcher).filter(Matcher::matches);
        return whole.isPresent() ? OptionalLong.of(Long.parseLong(whole.get().group(2), BASE)) : OptionalLong.empty();
    }

    /**
     * Returns the condition of a write, without quotes. The representation of a state does not
     * matter to writes.
     */
    String text() {
        return time.isPresent()
                ? "%d--%s_0".formatted(version, Long.toString(time.getAsLong(), BASE))
                : Long.toString(version);
    }
}
