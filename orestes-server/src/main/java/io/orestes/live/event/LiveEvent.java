package io.orestes.live.event;

import io.invalidb.model.MatchEvent;
import io.invalidb.model.MatchType;
import io.invalidb.model.VersionStamp;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One change of a live query's result, as all its subscribers receive it. Its wire form is rendered
 * once for all of them. Thread-safe.
 */
public final class LiveEvent {

    private final EventId id;
    private final MatchEvent match;
    private final OptionalInt index;
    private final Instant date;
    private final Optional<AfterImage> object;
    private final Supplier<Buffer> renderer;
    private final Map<String, Buffer> frames = new ConcurrentHashMap<>(2);

    public LiveEvent(
            EventId id,
            MatchEvent match,
            OptionalInt index,
            Instant date,
            Optional<AfterImage> object,
            Supplier<Buffer> renderer) {
        this.id = id;
        this.match = match;
        this.index = index;
        this.date = date;
        this.object = object;
        this.renderer = renderer;
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
        return index;
    }

    /** Returns {@code insert}, {@code update}, {@code delete} or {@code none}. */
    public String operation() {
        return EventSelection.wireName(match.write().operation());
    }

    /**
     * Returns the object as JSON; only its id if it was deleted or is not readable any more. For an
     * aggregate, the row; only its {@code _id} if the group was removed.
     */
    public Buffer data() {
        return frame("data", event -> renderer.get());
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
        return match.write().id();
    }

    public VersionStamp stamp() {
        return match.write().stamp();
    }

    /** Returns the type of the change. */
    public MatchType type() {
        return match.type();
    }

    public MatchEvent match() {
        return match;
    }

    /** Returns the state of the object, if it is to be retained with the event. */
    Optional<AfterImage> object() {
        return object;
    }

    /** Returns this event without texts of its own. */
    LiveEvent withoutFrames() {
        return new LiveEvent(id, match, index, date, object, renderer);
    }

    /** Returns this change with another match type, for a subscriber with another result. */
    LiveEvent withType(MatchType type) {
        return type == match.type()
                ? this
                : new LiveEvent(
                        id, new MatchEvent(match.queryId(), type, match.write()), index, date, object, renderer);
    }
}
