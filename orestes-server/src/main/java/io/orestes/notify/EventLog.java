package io.orestes.notify;

import io.invalidb.model.MatchType;
import io.invalidb.model.WriteEvent;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The latest events of one live query, in order. Not thread-safe: the query guards it. */
final class EventLog {

    private final int maxEvents;
    private final Duration maxAge;
    private final Deque<LiveEvent> events = new ArrayDeque<>();
    private long last;

    EventLog(int maxEvents, Duration maxAge) {
        this.maxEvents = maxEvents;
        this.maxAge = maxAge;
    }

    /** Sequence of the newest event, 0 before the first. */
    long last() {
        return last;
    }

    void append(LiveEvent event) {
        last = event.id().sequence();
        events.addLast(event);
        Instant horizon = event.date().minus(maxAge);
        while (events.size() > maxEvents || events.getFirst().date().isBefore(horizon)) {
            events.removeFirst();
        }
    }

    /** Whether every event after {@code sequence} is still here. */
    boolean covers(long sequence) {
        return sequence <= last && sequence >= last - events.size();
    }

    /** The events after {@code sequence}, oldest first. */
    List<LiveEvent> after(long sequence) {
        return events.stream().filter(event -> event.id().sequence() > sequence).toList();
    }

    /** A result brought up to date with the events after {@code sequence}; events it has seen already change nothing. */
    List<StoredObject> fold(List<StoredObject> result, long sequence) {
        List<LiveEvent> later = after(sequence);
        if (later.isEmpty()) {
            return result;
        }
        Map<String, StoredObject> objects = new LinkedHashMap<>();
        result.forEach(object -> objects.put(object.ref().id(), object));
        later.forEach(event -> apply(event, objects));
        return List.copyOf(objects.values());
    }

    private static void apply(LiveEvent event, Map<String, StoredObject> objects) {
        StoredObject known = objects.get(event.objectId());
        if (known != null && !event.stamp().isAfter(known.stamp())) {
            return;
        }
        if (event.type() == MatchType.REMOVE) {
            objects.remove(event.objectId());
        } else if (event.match().write() instanceof WriteEvent.Upsert upsert) {
            objects.put(event.objectId(), stored(upsert));
        }
    }

    /** The object as the store would have returned it. */
    static StoredObject stored(WriteEvent.Upsert upsert) {
        return new StoredObject(ObjectRef.parse(upsert.id()).orElseThrow(), upsert.afterImage());
    }
}
