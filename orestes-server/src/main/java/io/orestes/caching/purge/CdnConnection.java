package io.orestes.caching.purge;

import io.vertx.core.Future;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a content delivery network that purges by surrogate key, one HTTP request at a
 * time.
 */
final class CdnConnection implements PurgeConnection {

    /** Statuses 4xx that may change with a later attempt: wrong token, timeout, rate limit. */
    private static final Set<Integer> TRANSIENT_STATUSES = Set.of(401, 403, 408, 425, 429);

    private final HttpClient client;
    private final CdnTarget target;
    private final PurgeConnectionListener listener;
    private @Nullable HttpClientRequest request;
    private boolean isOver;

    CdnConnection(HttpClient client, CdnTarget target, PurgeConnectionListener listener) {
        this.client = client;
        this.target = target;
        this.listener = listener;
    }

    @Override
    public void send(List<PurgeRequest> orders) {
        String keys = orders.stream().map(SurrogateKeys::of).distinct().collect(Collectors.joining(" "));
        client.request(target.request().putHeader(target.keysHeader(), keys))
                .compose(this::exchange)
                .onComplete(status -> answered(orders.size(), status), broken -> close());
    }

    private Future<Integer> exchange(HttpClientRequest opened) {
        request = opened;
        return opened.send().compose(response -> response.end().map(response.statusCode()));
    }

    private void answered(int orders, int status) {
        if (isOver) {
            return;
        }
        if (status / 100 == 2) {
            listener.onConfirmed(orders);
        } else if (status / 100 == 4 && !TRANSIENT_STATUSES.contains(status)) {
            listener.onRefused(orders, "responds with " + status);
        } else {
            listener.onFailed("responds to purges with " + status);
            close();
        }
    }

    @Override
    public void close() {
        if (!isOver) {
            isOver = true;
            if (request != null) {
                var unused = request.reset();
            }
            listener.onClosed();
        }
    }
}
