package io.orestes.live.event;

import io.invalidb.model.MatchType;
import io.invalidb.model.WriteEvent;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The bounded log of one live query's latest events, in order, from which reconnecting clients
 * resume. The {@link EventLogBudget} of all queries limits it. It stores no texts of events but
 * those that other events share. Not thread-safe: the query guards it; but the budget may evict
 * events at any time.
 */
public final class EventLog {

    private final int maxEvents;
    private final EventLogBudget memory;
    private final Deque<EventLogBudget.RetainedEvent> events = new ArrayDeque<>();
    private long last;

    public EventLog(int maxEvents, EventLogBudget memory) {
        this.maxEvents = maxEvents;
        this.memory = memory;
    }

    /** Returns the sequence of the newest event, 0 before the first. */
    public long lastSequence() {
        return last;
    }

    /**
     * Appends an event.
     *
     * @param row row that the event reports instead of an object; null without one
     */
    public void append(LiveEvent event, @Nullable BsonDocument row) {
        last = event.id().sequence();
        events.addLast(memory.retainEvent(event.withoutFrames(), row));
        while (events.size() > maxEvents) {
            events.removeFirst().drop();
        }
        while (!events.isEmpty() && events.getFirst().event().isEmpty()) {
            events.removeFirst();
        }
    }

    /** Returns the retained events about one object, oldest first. */
    public List<LiveEvent> eventsOf(String objectId) {
        return events.stream()
                .flatMap(kept -> kept.event().stream())
                .filter(event -> event.objectId().equals(objectId))
                .map(LiveEvent::withoutFrames)
                .toList();
    }

    /** Returns whether every event after {@code sequence} is retained. */
    public boolean covers(long sequence) {
        return eventsAfter(sequence).isPresent();
    }

    /**
     * Returns the events after {@code sequence}, oldest first; empty if some of them are evicted.
     */
    public Optional<List<LiveEvent>> eventsAfter(long sequence) {
        if (sequence > last || sequence < last - events.size()) {
            return Optional.empty();
        }
        List<LiveEvent> later = new ArrayList<>();
        events.stream()
                .skip(events.size() - (last - sequence))
                .forEach(kept -> kept.event().map(LiveEvent::withoutFrames).ifPresent(later::add));
        return Optional.of(later).filter(all -> all.size() == last - sequence);
    }

    /**
     * Applies the events after {@code sequence} to a result; events that it includes already change
     * nothing. Empty if some of them are evicted.
     */
    public Optional<List<StoredObject>> fold(List<StoredObject> result, long sequence) {
        return eventsAfter(sequence).map(later -> later.isEmpty() ? result : fold(result, later));
    }

    private static List<StoredObject> fold(List<StoredObject> result, List<LiveEvent> later) {
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
        } else {
            event.match().write().upsert().ifPresent(upsert -> objects.put(event.objectId(), stored(upsert)));
        }
    }

    /** Returns the object as a read of the store returns it. */
    public static StoredObject stored(WriteEvent.Upsert upsert) {
        return new StoredObject(ObjectRef.parse(upsert.id()).orElseThrow(), upsert.afterImage());
    }
}
