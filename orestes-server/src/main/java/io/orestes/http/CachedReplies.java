package io.orestes.http;

import io.orestes.caching.response.CachedResponse;
import io.orestes.read.Answer;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/** Answers that caches may keep: in full, or as 304 when the caller's copy is the same. */
final class CachedReplies {

    private static final CharSequence HIT = HttpHeaders.createOptimized("hit");
    private static final CharSequence SURROGATE_KEY = HttpHeaders.createOptimized("Surrogate-Key");
    private static final CharSequence MISS = HttpHeaders.createOptimized("miss");

    /** Query results depend on who asks; the answer for everybody must not reach somebody who is logged in. */
    static final CharSequence BY_CALLER = HttpHeaders.createOptimized("origin, authorization");

    /** For an answer that is for this caller, or that nobody could purge. */
    static final CharSequence UNSHARED = HttpHeaders.createOptimized("private, no-cache");

    private CachedReplies() {}

    /** Sends a hit at once: the quickest way out of the server. */
    static void sendHit(HttpServerRequest request, CachedResponse cached) {
        HttpServerResponse response = request.response();
        CachedResponse.Headers headers = cached.headers();
        Cors.apply(request, response);
        if (request.uri().indexOf('?') >= 0) {
            response.putHeader(HttpHeaders.VARY, BY_CALLER);
        }
        response.putHeader(HttpHeaders.ETAG, headers.etag())
                .putHeader(HttpHeaders.CACHE_CONTROL, headers.cacheControl())
                .putHeader(Reply.ORESTES_CACHE, HIT);
        if (!headers.surrogateKeys().isEmpty()) {
            response.putHeader(SURROGATE_KEY, headers.surrogateKeys());
        }
        if (Conditions.isUnchanged(request, headers.etag())) {
            response.setStatusCode(304).end();
        } else {
            response.putHeader(HttpHeaders.CONTENT_TYPE, headers.contentType()).end(cached.body());
        }
    }

    /** The same as a reply. */
    static Reply reply(HttpServerRequest request, Answer answer) {
        CachedResponse.Headers headers = answer.response().headers();
        boolean unchanged = Conditions.isUnchanged(request, headers.etag());
        Reply reply = Reply.of(
                        unchanged ? 304 : 200,
                        unchanged ? Buffer.buffer() : answer.response().body())
                .with(HttpHeaders.ETAG, headers.etag())
                .with(HttpHeaders.CACHE_CONTROL, cacheControl(request, headers))
                .with(Reply.ORESTES_CACHE, name(answer.source()));
        if (!headers.surrogateKeys().isEmpty()) {
            reply.with(SURROGATE_KEY, headers.surrogateKeys());
        }
        return unchanged ? reply : reply.with(HttpHeaders.CONTENT_TYPE, headers.contentType());
    }

    /** Who asks with {@code BCB} wants no copy, and a copy under that address would be the one for the next who asks so. */
    private static CharSequence cacheControl(HttpServerRequest request, CachedResponse.Headers headers) {
        return isCacheBusted(request.uri()) ? Reply.NO_STORE : headers.cacheControl();
    }

    /** Whether the caller wants the newest committed state; {@code BCB} in the query says so too (protocol §1.7). */
    static boolean wantsFresh(HttpServerRequest request) {
        return Conditions.wantsFresh(request) || isCacheBusted(request.uri());
    }

    private static boolean isCacheBusted(String uri) {
        return uri.endsWith("?BCB") || uri.endsWith("&BCB") || uri.contains("?BCB&") || uri.contains("&BCB&");
    }

    private static CharSequence name(Answer.Source source) {
        return switch (source) {
            case HIT -> HIT;
            case MISS -> MISS;
            case BYPASS -> Reply.BYPASS;
        };
    }
}
