package io.orestes.live.event;

import io.invalidb.model.MatchType;
import io.invalidb.model.WriteOperation;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;

/**
 * A subscriber's selection of events by match type and operation (protocol §18.2, §18.4).
 *
 * @param matchTypes {@code all}, or some of {@code add change changeIndex match remove}
 * @param operations {@code any}, or some of {@code insert update delete none}
 */
public record EventSelection(Set<String> matchTypes, Set<String> operations) {

    private static final Set<String> MATCH_TYPES = Set.of("all", "add", "change", "changeIndex", "match", "remove");
    private static final Set<String> OPERATIONS = Set.of("any", "insert", "update", "delete", "none");

    public EventSelection {
        matchTypes = Set.copyOf(matchTypes);
        operations = Set.copyOf(operations);
        requireKnown("match type", matchTypes, MATCH_TYPES);
        requireKnown("operation", operations, OPERATIONS);
        if (!matchTypes.contains("all") && !operations.contains("any")) {
            throw new ApiException(ErrorCode.BAD_REQUEST, "Restrict either matchTypes or operations, not both");
        }
    }

    /** Creates a selection from the client's lists; an empty list means no restriction. */
    public static EventSelection of(Collection<String> matchTypes, Collection<String> operations) {
        return new EventSelection(
                matchTypes.isEmpty() ? Set.of("all") : Set.copyOf(matchTypes),
                operations.isEmpty() ? Set.of("any") : Set.copyOf(operations));
    }

    public boolean includes(MatchType type, WriteOperation writeOperation) {
        return (operations.contains("any") || operations.contains(wireName(writeOperation)))
                && (matchTypes.contains("all") || matchTypes.contains(typeName(type)) || mergesInto(type));
    }

    /** Returns the name of the event's match type for this subscriber. */
    public String name(MatchType type) {
        return mergesInto(type) ? "match" : typeName(type);
    }

    /** Returns the protocol name of a match type. */
    public static String typeName(MatchType type) {
        return type == MatchType.CHANGE_INDEX ? "changeIndex" : wireName(type);
    }

    private boolean mergesInto(MatchType type) {
        return type != MatchType.REMOVE && matchTypes.contains("match");
    }

    /** Returns the protocol name of a constant. */
    public static String wireName(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static void requireKnown(String what, Set<String> given, Set<String> known) {
        given.stream().filter(word -> !known.contains(word)).findFirst().ifPresent(word -> {
            throw new ApiException(ErrorCode.BAD_REQUEST, "Unknown " + what + ": " + word);
        });
    }
}
