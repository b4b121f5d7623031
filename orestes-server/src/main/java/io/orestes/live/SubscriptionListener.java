package io.orestes.live;

import io.orestes.live.event.EventId;
import io.orestes.live.event.LiveEvent;
import io.orestes.model.ApiException;
import io.orestes.model.StoredObject;
import io.vertx.core.buffer.Buffer;
import java.util.List;

/** The listener of one subscription. All calls come in order, on the context of the subscriber. */
public interface SubscriptionListener {

    /**
     * Delivers the initial result, before any event. Only if the subscriber requested it or cannot
     * be resumed.
     */
    void onResult(EventId id, List<StoredObject> result);

    /** Delivers the initial rows of an aggregate as a JSON array. */
    void onRows(EventId id, Buffer rows);

    /** Reports that the subscription is active: the first call when no result is sent. */
    void onReady(EventId id);

    /**
     * Delivers a change of the result.
     *
     * @param id the position to resume after, which may contain more than the event's own id
     * @param matchType the match type in the subscriber's terms
     */
    void onMatch(LiveEvent event, EventId id, String matchType);

    /** Reports a new position to resume after without a change. */
    void onProgress(EventId id);

    /** Reports the end of the subscription; no further call follows. */
    void onError(ApiException failure);
}
