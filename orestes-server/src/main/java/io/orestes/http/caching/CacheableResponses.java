package io.orestes.http.caching;

import io.orestes.caching.response.CachedResponse;
import io.orestes.http.protocol.ApiResponse;
import io.orestes.http.protocol.Cors;
import io.orestes.http.protocol.ErrorResponses;
import io.orestes.http.protocol.ResponseSender;
import io.orestes.read.response.ReadResult;
import io.orestes.socket.ConnectionAborter;
import io.orestes.wire.ResponseBudget;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/**
 * The builder of responses that caches may store, with validators, ages and 304 responses. Each
 * response states its maximum age. {@code Age} is the age of the state. It is 0 whenever this
 * server answers, because a state in memory is evicted before the write that replaces it is
 * acknowledged. {@code Orestes-Bound} is the age, in seconds, from which no cache serves the
 * response.
 */
public final class CacheableResponses {

    private static final CharSequence HIT = HttpHeaders.createOptimized("hit");
    private static final CharSequence SURROGATE_KEY = HttpHeaders.createOptimized("Surrogate-Key");
    private static final CharSequence MISS = HttpHeaders.createOptimized("miss");
    private static final CharSequence ZERO = HttpHeaders.createOptimized("0");

    /**
     * Value of {@code Vary} by demanded consistency. Caches that do not understand the header store
     * the responses to its values apart.
     */
    private static final CharSequence VARY_BY_CONSISTENCY = HttpHeaders.createOptimized("origin, orestes-consistency");

    /**
     * Value of {@code Vary} for query results, which depend on the caller; a public response must
     * not reach a logged-in caller.
     */
    public static final CharSequence VARY_BY_CALLER =
            HttpHeaders.createOptimized("origin, authorization, orestes-consistency");

    private static final CharSequence PUBLIC_NO_CACHE = HttpHeaders.createOptimized("public, no-cache");

    private final ReadSourceCounters counts;

    public CacheableResponses(ReadSourceCounters counts) {
        this.counts = counts;
    }

    /**
     * Sends a hit immediately, by the fastest path. A large hit that exceeds the response budget is
     * refused.
     */
    public void sendHit(HttpServerRequest request, CachedResponse cached, ResponseBudget room) {
        int bytes = cached.body().length();
        if (!ResponseBudget.isLarge(bytes)
                || ReadConditions.isUnchanged(request, cached.headers().etag())) {
            var unused = end(request, cached);
        } else if (room.tryReserve(bytes)) {
            room.track(bytes, end(request, cached), () -> ConnectionAborter.on(request));
        } else {
            Cors.apply(request, request.response());
            ResponseSender.send(request, ErrorResponses.toResponse(ResponseBudget.exhausted(), "hit"));
        }
    }

    private Future<Void> end(HttpServerRequest request, CachedResponse cached) {
        HttpServerResponse response = request.response();
        CachedResponse.Headers headers = cached.headers();
        Cors.apply(request, response);
        response.putHeader(HttpHeaders.VARY, request.uri().indexOf('?') >= 0 ? VARY_BY_CALLER : VARY_BY_CONSISTENCY)
                .putHeader(HttpHeaders.ETAG, headers.etag())
                .putHeader(HttpHeaders.CACHE_CONTROL, headers.cacheControl())
                .putHeader(ApiResponse.AGE, ZERO)
                .putHeader(ApiResponse.ORESTES_BOUND, cached.maxUseSeconds())
                .putHeader(ApiResponse.ORESTES_CACHE, HIT);
        if (!headers.surrogateKeys().isEmpty()) {
            response.putHeader(SURROGATE_KEY, headers.surrogateKeys());
        }
        boolean unchanged = ReadConditions.isUnchanged(request, headers.etag());
        counts.add(ReadResult.ResponseSource.HIT, unchanged);
        if (unchanged) {
            return response.setStatusCode(304).end();
        }
        response.putHeader(HttpHeaders.CONTENT_TYPE, headers.contentType());
        return ResponseBudget.end(request, cached.body());
    }

    /** Creates the response of a read. */
    public ApiResponse toResponse(HttpServerRequest request, FreshnessDemand demanded, ReadResult readResult) {
        CachedResponse.Headers headers = readResult.response().headers();
        boolean unchanged = ReadConditions.isUnchanged(request, headers.etag());
        counts.add(readResult.source(), unchanged);
        ApiResponse apiResponse = ApiResponse.of(
                        unchanged ? 304 : 200,
                        unchanged ? Buffer.buffer() : readResult.response().body())
                .with(HttpHeaders.VARY, VARY_BY_CONSISTENCY)
                .with(HttpHeaders.ETAG, headers.etag())
                .with(ApiResponse.AGE, ZERO)
                .with(ApiResponse.ORESTES_CACHE, name(readResult.source()));
        if (!headers.surrogateKeys().isEmpty()) {
            apiResponse.with(SURROGATE_KEY, headers.surrogateKeys());
        }
        ApiResponse limited = withCacheControl(apiResponse, demanded, readResult.response());
        return unchanged ? limited : limited.with(HttpHeaders.CONTENT_TYPE, headers.contentType());
    }

    /** Marks a response as uncacheable. */
    public static ApiResponse noStore(ApiResponse apiResponse) {
        return apiResponse.with(HttpHeaders.CACHE_CONTROL, ApiResponse.NO_STORE).with(ApiResponse.ORESTES_BOUND, ZERO);
    }

    /**
     * Restricts a response to a strict demand. A request with {@code BCB} excludes copies, and a
     * stored response would be a copy for the next request with the same URL. A cache that stores
     * responses by {@code Orestes-Consistency} would likewise reuse a fresh response for a later
     * demand.
     */
    private static ApiResponse withCacheControl(
            ApiResponse apiResponse, FreshnessDemand demanded, CachedResponse response) {
        String cacheControl = response.headers().cacheControl();
        if (demanded.hasCacheBuster()) {
            return noStore(apiResponse);
        }
        return demanded.isForThisReadOnly() && cacheControl.startsWith("public")
                ? apiResponse.with(HttpHeaders.CACHE_CONTROL, PUBLIC_NO_CACHE).with(ApiResponse.ORESTES_BOUND, ZERO)
                : apiResponse
                        .with(HttpHeaders.CACHE_CONTROL, cacheControl)
                        .with(ApiResponse.ORESTES_BOUND, response.maxUseSeconds());
    }

    private static CharSequence name(ReadResult.ResponseSource source) {
        return switch (source) {
            case HIT -> HIT;
            case MISS -> MISS;
            case BYPASS -> ApiResponse.BYPASS;
        };
    }
}
