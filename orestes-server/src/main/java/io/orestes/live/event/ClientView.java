package io.orestes.live.event;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.invalidb.model.MatchType;
import io.invalidb.model.VersionStamp;
import io.orestes.model.StoredObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The view that one client has of a result: the version of each object that it was sent. The store
 * may show a write in a result before the matching event of that write arrives; the view recognises
 * such an event. Not thread-safe.
 */
public final class ClientView {

    private final long number;
    private final long sequence;
    private final Map<String, VersionStamp> stamps;

    private ClientView(long number, long sequence, Map<String, VersionStamp> stamps) {
        this.number = number;
        this.sequence = sequence;
        this.stamps = stamps;
    }

    /**
     * Returns the view of a client that was just sent a result.
     *
     * @param number number of the result among those of its query
     * @param sequence position of the events that the result includes
     */
    public static ClientView of(long number, long sequence, List<StoredObject> result) {
        Map<String, VersionStamp> stamps = new HashMap<>(result.size() * 2);
        result.forEach(object -> stamps.put(object.ref().id(), object.stamp()));
        return new ClientView(number, sequence, stamps);
    }

    public long number() {
        return number;
    }

    public long sequence() {
        return sequence;
    }

    /** Returns an independent copy. */
    public ClientView copy() {
        return new ClientView(number, sequence, new HashMap<>(stamps));
    }

    /**
     * Converts an event for this client and records it as sent; empty if the client's result
     * includes it.
     */
    @CanIgnoreReturnValue
    public Optional<LiveEvent> apply(LiveEvent event) {
        VersionStamp known = stamps.get(event.objectId());
        if (known != null && !event.stamp().isAfter(known)) {
            return Optional.empty();
        }
        if (event.type() == MatchType.REMOVE) {
            return known == null ? Optional.empty() : Optional.of(removed(event));
        }
        stamps.put(event.objectId(), event.stamp());
        return Optional.of(event.withType(known == null ? MatchType.ADD : MatchType.CHANGE));
    }

    private LiveEvent removed(LiveEvent event) {
        stamps.remove(event.objectId());
        return event;
    }
}
