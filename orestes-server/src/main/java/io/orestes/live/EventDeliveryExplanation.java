package io.orestes.live;

import io.invalidb.matching.cell.LastWrite;
import io.invalidb.model.MatchType;
import io.orestes.live.event.LiveEvent;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An explanation of why a subscriber received an event about an object, or received none.
 *
 * @param isActive whether this server has, or recently had, a subscriber to that query with
 *     those rights
 * @param history the events about the object at this server, oldest first
 * @param lastWrite the last retained write of the object; null if none is retained
 * @param verdict effect of that write; null if there is none or its content is unknown
 * @param index present index of the object in the window; null if it is not in it, or the query
 *     has none
 * @param unknownFacts the facts that cannot be established any more
 */
public record EventDeliveryExplanation(
        boolean isActive,
        List<LiveEvent> history,
        @Nullable LastWrite lastWrite,
        @Nullable Verdict verdict,
        @Nullable Integer index,
        Set<UnknownFact> unknownFacts) {

    public EventDeliveryExplanation {
        history = List.copyOf(history);
        unknownFacts = Set.copyOf(unknownFacts);
    }

    /**
     * The effect of a write on the result of the query.
     *
     * @param isReadable whether the caller may read the written state; false for a deletion
     * @param matches whether the state meets the filter
     */
    public record Verdict(boolean isReadable, boolean matches) {

        private boolean isIn() {
            return isReadable && matches;
        }

        /** Returns the event for a client whose result contains the object. */
        public MatchType typeIfPresent() {
            return isIn() ? MatchType.CHANGE : MatchType.REMOVE;
        }

        /** Returns the event, if any, for a client whose result lacks the object. */
        public Optional<MatchType> typeIfAbsent() {
            return isIn() ? Optional.of(MatchType.ADD) : Optional.empty();
        }
    }

    /** A fact that an explanation cannot establish any more. */
    public enum UnknownFact {
        NOBODY_SUBSCRIBED("Whether the object was in the result before:"
                + " this server has no subscriber to this query with these rights"),
        EARLIER_EVENTS("Earlier events about the object: some events of the query are evicted"),
        LAST_WRITE("Whether and when the object was last written: no write of it is retained"),
        WHAT_WAS_WRITTEN("The content of the last write: no query watched the class at that time"),
        PLACE_IN_THE_WINDOW(
                "Whether the last write moved the object into the window or out of it: no window was maintained"),
        OTHER_SERVERS("Events of subscribers at other servers: query those servers");

        private final String text;

        UnknownFact(String text) {
            this.text = text;
        }

        /** Returns the fact as a sentence for users. */
        public String text() {
            return text;
        }
    }
}
