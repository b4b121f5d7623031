package io.orestes.live.event;

import io.invalidb.model.MatchEvent;
import io.invalidb.model.MatchType;
import io.vertx.core.buffer.Buffer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One change of a live query's result before it has a position in the query's sequence.
 *
 * @param index present index of the object in the window; null without one
 * @param object state of the object that is retained with the event; null if it was deleted
 * @param renderer renders the object or the row as JSON
 */
public record LiveChange(
        MatchEvent match, @Nullable Integer index, @Nullable RenderedAfterImage object, Supplier<Buffer> renderer) {

    /** Returns this change with another match type, for a subscriber with another result. */
    LiveChange withType(MatchType type) {
        return new LiveChange(new MatchEvent(match.queryId(), type, match.write()), index, object, renderer);
    }
}
