package io.orestes.live;

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
 * One change of a live query's result, as all its subscribers get it. What it looks like on the
 * wire is worked out once for all of them. Thread-safe.
 */
public final class LiveEvent {

    private final EventId id;
    private final MatchEvent match;
    private final OptionalInt index;
    private final Instant date;
    private final Optional<AfterImage> object;
    private final Supplier<Buffer> renderer;
    private final Map<String, Buffer> frames = new ConcurrentHashMap<>(2);

    LiveEvent(
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

    /** Its place in the query's sequence. */
    public EventId id() {
        return id;
    }

    /** When it was matched. */
    public Instant date() {
        return date;
    }

    /**
     * Where the object stands now, counted from the start of the window; only for queries with an
     * order.
     */
    public OptionalInt index() {
        return index;
    }

    /** {@code insert}, {@code update}, {@code delete} or {@code none}. */
    public String operation() {
        return EventSelection.word(match.write().operation());
    }

    /**
     * The object as JSON; only its id if it was deleted or may not be seen any more. Of an
     * aggregate the row; only its {@code _id} if the group is gone.
     */
    public Buffer data() {
        return frame("data", event -> renderer.get());
    }

    /**
     * A text that is the same for many subscribers.
     *
     * @param form names the text among all of this event; {@code make} is called once for each
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

    /** The version of the object that it is about; of a deletion one more than the last. */
    public long version() {
        return stamp().version();
    }

    String objectId() {
        return match.write().id();
    }

    VersionStamp stamp() {
        return match.write().stamp();
    }

    /** What happened to the result. */
    public MatchType type() {
        return match.type();
    }

    MatchEvent match() {
        return match;
    }

    /** The state that it is about, if that is to be remembered with it. */
    Optional<AfterImage> object() {
        return object;
    }

    /** The same event, of which no text has been made that is its own. */
    LiveEvent fresh() {
        return new LiveEvent(id, match, index, date, object, renderer);
    }

    /** The same change told as another match type, for a subscriber that knows another result. */
    LiveEvent as(MatchType type) {
        return type == match.type()
                ? this
                : new LiveEvent(
                        id, new MatchEvent(match.queryId(), type, match.write()), index, date, object, renderer);
    }
}
