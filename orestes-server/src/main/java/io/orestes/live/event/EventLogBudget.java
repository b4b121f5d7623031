package io.orestes.live.event;

import io.invalidb.query.value.HeapSize;
import java.time.Duration;
import java.time.Instant;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The memory budget that the event logs of all live queries share; it evicts the oldest events
 * first. It evicts events of any query when they take too much memory or are too old. Many queries
 * may report one write, and all their events share the object and its text. Thread-safe.
 */
public final class EventLogBudget {

    private static final long EVENT_BYTES = 400;

    private final long mostBytes;
    private final Duration maxAge;
    private final Set<RetainedEvent> inOrder = new LinkedHashSet<>();
    private final IdentityHashMap<BsonDocument, RenderedAfterImage> objects = new IdentityHashMap<>();
    private long bytes;

    /** @param mostBytes heap for all events, by estimate */
    public EventLogBudget(long mostBytes, Duration maxAge) {
        this.mostBytes = mostBytes;
        this.maxAge = maxAge;
    }

    /**
     * An event that is retained in a log until the budget evicts it. It is empty after its
     * eviction.
     */
    final class RetainedEvent {
        private final Instant date;
        private final long ownBytes;
        private final @Nullable RenderedAfterImage object;
        private volatile @Nullable LiveEvent event;

        private RetainedEvent(LiveEvent event, long ownBytes) {
            this.event = event;
            this.date = event.date();
            this.ownBytes = ownBytes;
            this.object = event.change().object();
        }

        Optional<LiveEvent> event() {
            return Optional.ofNullable(event);
        }

        /** Evicts the event; does nothing if that is done. */
        void drop() {
            synchronized (EventLogBudget.this) {
                if (inOrder.remove(this)) {
                    bytes -= ownBytes;
                    if (object != null) {
                        release(object);
                    }
                    event = null;
                }
            }
        }
    }

    /**
     * Returns the after-image that all events of one write share, as long as one of them is
     * retained.
     */
    public synchronized RenderedAfterImage share(BsonDocument afterImage) {
        RenderedAfterImage known = objects.get(afterImage);
        return known == null ? new RenderedAfterImage(afterImage) : known;
    }

    /**
     * Retains an event until its memory is needed, or until it is too old.
     *
     * @param row row that it reports instead of an object; null without one
     */
    synchronized RetainedEvent retainEvent(LiveEvent event, @Nullable BsonDocument row) {
        RetainedEvent retainedEvent = new RetainedEvent(event, EVENT_BYTES + (row == null ? 0 : HeapSize.of(row)));
        inOrder.add(retainedEvent);
        bytes += retainedEvent.ownBytes;
        if (retainedEvent.object != null) {
            retain(retainedEvent.object);
        }
        evict(retainedEvent.date);
        return retainedEvent;
    }

    /** Evicts events that are too old at {@code now}. */
    public synchronized void evict(Instant now) {
        Instant horizon = now.minus(maxAge);
        while (!inOrder.isEmpty()) {
            RetainedEvent oldest = inOrder.iterator().next();
            if (bytes <= mostBytes && !oldest.date.isBefore(horizon)) {
                return;
            }
            oldest.drop();
        }
    }

    private void retain(RenderedAfterImage object) {
        if (object.events == 0) {
            objects.put(object.afterImage(), object);
            bytes += object.bytes();
        }
        object.events++;
    }

    private void release(RenderedAfterImage object) {
        object.events--;
        if (object.events == 0) {
            objects.remove(object.afterImage(), object);
            bytes -= object.bytes();
        }
    }

    /** Returns the used heap in bytes, by estimate. */
    synchronized long bytes() {
        return bytes;
    }
}
