package io.orestes.live;

import io.invalidb.matching.LastWrite;
import io.invalidb.model.MatchType;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * An explanation of why a subscriber received an event about an object, or received none.
 *
 * @param isActive whether somebody is subscribed to that query with those rights at this server, or
 *     was lately
 * @param told the events about the object at this server, oldest first
 * @param last the last write of the object that is retained
 * @param verdict on that write; absent if there is none or its content is unknown
 * @param index where the object is in the window now; absent if it is not in it, or the query has
 *     none
 * @param unknown the facts that cannot be established any more
 */
public record LiveExplanation(
        boolean isActive,
        List<LiveEvent> told,
        Optional<LastWrite> last,
        Optional<Verdict> verdict,
        OptionalInt index,
        Set<UnknownFact> unknown) {

    public LiveExplanation {
        told = List.copyOf(told);
        unknown = Set.copyOf(unknown);
    }

    /**
     * What a write means for the result of the query.
     *
     * @param isReadable whether the caller may read what was written; nothing of a deletion can be
     * @param matches whether it meets the filter
     */
    public record Verdict(boolean isReadable, boolean matches) {

        private boolean isIn() {
            return isReadable && matches;
        }

        /** What who had the object in the result is told. */
        public MatchType whoHadIt() {
            return isIn() ? MatchType.CHANGE : MatchType.REMOVE;
        }

        /** What who had it not is told, if anything. */
        public Optional<MatchType> whoHadItNot() {
            return isIn() ? Optional.of(MatchType.ADD) : Optional.empty();
        }
    }

    /** A fact that an explanation cannot establish any more. */
    public enum UnknownFact {
        NOBODY_SUBSCRIBED(
                "Whether the object was in the result before: nobody is subscribed to this query with these rights at this server"),
        EARLIER_EVENTS("What was told before: not all events of the query are kept any more"),
        LAST_WRITE("Whether and when the object was last written: no write of it is kept"),
        WHAT_WAS_WRITTEN("What was written: nobody watched the class at that time"),
        PLACE_IN_THE_WINDOW(
                "Whether the last write moved the object into the window or out of it: nobody kept the window"),
        OTHER_SERVERS("What subscribers at the other servers were told: ask those");

        private final String text;

        UnknownFact(String text) {
            this.text = text;
        }

        /** A sentence for people. */
        public String text() {
            return text;
        }
    }
}
