package io.orestes.live;

import static io.orestes.store.Await.awaitThat;

import io.orestes.live.event.EventId;
import io.orestes.live.event.LiveEvent;
import io.orestes.model.ApiException;
import io.orestes.model.StoredObject;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A subscriber that records what it receives, as {@code result a b}, {@code add a} or
 * {@code error 466}.
 */
class RecordingSubscriber implements SubscriptionListener {

    private final List<String> received = new CopyOnWriteArrayList<>();
    private volatile Optional<EventId> last = Optional.empty();

    List<String> messages() {
        return received;
    }

    /** Returns the position after the last message. */
    EventId last() {
        return last.orElseThrow();
    }

    /** Waits for this number of messages, and returns all. */
    List<String> await(int messages) {
        awaitThat(() -> received.size() >= messages);
        return received;
    }

    @Override
    public void onResult(EventId id, List<StoredObject> result) {
        last = Optional.of(id);
        received.add("result"
                + String.join(
                        "",
                        result.stream()
                                .map(object -> " " + object.ref().key())
                                .sorted()
                                .toList()));
    }

    @Override
    public void onRows(EventId id, Buffer rows) {
        last = Optional.of(id);
        received.add("rows " + rows);
    }

    @Override
    public void onReady(EventId id) {
        last = Optional.of(id);
        received.add("ready");
    }

    @Override
    public void onMatch(LiveEvent event, EventId id, String matchType) {
        last = Optional.of(id);
        received.add(
                matchType + " " + event.objectId().substring(event.objectId().lastIndexOf('/') + 1));
    }

    @Override
    public void onProgress(EventId id) {
        last = Optional.of(id);
    }

    @Override
    public void onError(ApiException failure) {
        received.add("error " + failure.code().httpStatus());
    }
}
