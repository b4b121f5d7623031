package io.orestes.live.event;

import io.invalidb.model.MatchEvent;
import io.invalidb.model.MatchType;
import io.invalidb.model.VersionStamp;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * One change of a live query's result, as all its subscribers receive it. Its wire form is rendered
 * once for all of them. Thread-safe.
 */
public final class LiveEvent {

    private final EventId id;
    private final Instant date;
    private final LiveChange change;
    private final Map<String, Buffer> frames = new ConcurrentHashMap<>(2);

    /** @param date when the change was matched */
    public LiveEvent(EventId id, Instant date, LiveChange change) {
        this.id = id;
        this.date = date;
        this.change = change;
    }

    /** Returns its position in the query's sequence. */
    public EventId id() {
        return id;
    }

    /** Returns when it was matched. */
    public Instant date() {
        return date;
    }

    /** Returns the present index of the object in the window; only for queries with an order. */
    public OptionalInt index() {
        return change.index() == null ? OptionalInt.empty() : OptionalInt.of(change.index());
    }

    /** Returns {@code insert}, {@code update}, {@code delete} or {@code none}. */
    public String operation() {
        return EventSelection.wireName(match().write().operation());
    }

    /**
     * Returns the object as JSON; only its id if it was deleted or is not readable any more. For an
     * aggregate, the row; only its {@code _id} if the group was removed.
     */
    public Buffer data() {
        return frame("data", event -> change.renderer().get());
    }

    /**
     * Returns a text that many subscribers share.
     *
     * @param form identifies the text among all of this event; {@code make} is called once for
     *     each
     */
    public Buffer frame(String form, Function<LiveEvent, Buffer> make) {
        Buffer known = frames.get(form);
        return known != null ? known : makeOnce(form, make);
    }

    private synchronized Buffer makeOnce(String form, Function<LiveEvent, Buffer> make) {
        Buffer known = frames.get(form);
        if (known == null) {
            known = make.apply(this);
            frames.put(form, known);
        }
        return known;
    }

    /** Returns the version of the object; for a deletion one more than the last. */
    public long version() {
        return stamp().version();
    }

    public String objectId() {
        return match().write().id();
    }

    public VersionStamp stamp() {
        return match().write().stamp();
    }

    /** Returns the type of the change. */
    public MatchType type() {
        return match().type();
    }

    public MatchEvent match() {
        return change.match();
    }

    LiveChange change() {
        return change;
    }

    /** Returns this event without texts of its own. */
    LiveEvent withoutFrames() {
        return new LiveEvent(id, date, change);
    }

    /** Returns this change with another match type, for a subscriber with another result. */
    LiveEvent withType(MatchType type) {
        return type == type() ? this : new LiveEvent(id, date, change.withType(type));
    }
}
