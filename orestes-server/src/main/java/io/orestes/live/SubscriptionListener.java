package io.orestes.live;

import io.orestes.model.ApiException;
import io.orestes.model.StoredObject;
import io.vertx.core.buffer.Buffer;
import java.util.List;

/**
 * The listener of one subscription. All calls come in order, on the context that the subscriber
 * came from.
 */
public interface SubscriptionListener {

    /**
     * The result so far; comes before any event, and only if the subscriber asked for it or cannot
     * be resumed.
     */
    void onResult(EventId id, List<StoredObject> result);

    /** The same for an aggregate: its rows as a JSON array. */
    void onRows(EventId id, Buffer rows);

    /**
     * Nothing was asked for, the subscription holds from now on: the first call when no result is
     * sent.
     */
    void onReady(EventId id);

    /**
     * The result changed.
     *
     * @param id the place to resume after, which may say more than the event's own id
     * @param matchType the match type in the subscriber's words
     */
    void onMatch(LiveEvent event, EventId id, String matchType);

    /** Nothing changed, but from now on this is the place to resume after. */
    void onProgress(EventId id);

    /** The subscription ended and will not be heard of again. */
    void onError(ApiException failure);
}
