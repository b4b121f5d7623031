package io.orestes.caching.purge;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import java.util.Optional;

/**
 * The HTTP client that requests the statistics of shared caches. It does so only when
 * an admin requests them, and apart from purges. Thread-safe.
 */
final class SharedCacheStatisticsClient {

    /** Time after which a cache without a response is left out. */
    private static final Duration REQUEST_TIMEOUT = Duration.ofMillis(500);

    private static final String COUNTS = "Orestes-Counts";

    private final HttpClient client;
    private final PurgeConfig config;

    SharedCacheStatisticsClient(Vertx vertx, PurgeConfig config) {
        this.client = vertx.createHttpClient(new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(1));
        this.config = config;
    }

    /** Never fails; completes on the caller's context. */
    Future<SharedCacheStatistics> fetch(PurgeTarget target) {
        Optional<RequestOptions> question = target.countersRequest(config);
        return question.map(request -> fetch(request.setTimeout(REQUEST_TIMEOUT.toMillis())))
                .orElse(Future.succeededFuture(Optional.empty()))
                .map(counts -> new SharedCacheStatistics(target.toString(), question.isPresent(), counts.orElse(null)));
    }

    private Future<Optional<SharedCacheStatistics.ReadCounters>> fetch(RequestOptions question) {
        return client.request(question)
                .compose(HttpClientRequest::send)
                .compose(response -> response.end().map(read(response)))
                .otherwise(Optional.empty());
    }

    private static Optional<SharedCacheStatistics.ReadCounters> read(HttpClientResponse response) {
        return Optional.ofNullable(response.getHeader(COUNTS)).flatMap(SharedCacheStatistics.ReadCounters::parse);
    }
}
