package io.orestes.http;

import io.orestes.caching.ReadCache;
import io.orestes.caching.response.CachedResponse;
import io.orestes.http.caching.CacheableResponses;
import io.orestes.http.caching.FreshnessDemand;
import io.orestes.http.caching.ReadConditions;
import io.orestes.http.caller.RateLimitHandler;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.http.protocol.Cors;
import io.orestes.http.protocol.ErrorResponses;
import io.orestes.http.protocol.RequestTargets;
import io.orestes.wire.ResponseBudget;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;

/**
 * The fast path for anonymous reads, which answers response cache hits before any routing. It looks
 * them up by their exact URI. All other requests are passed to the router, also those that demand
 * the newest state.
 */
final class ReadFastPath implements Handler<HttpServerRequest> {

    private static final String OBJECTS = ApiRouter.BASE + "/db/";

    private final HostHeaderValidator hostHeaderValidator = new HostHeaderValidator();
    private final ReadCache cache;
    private final RateLimitHandler gate;
    private final ResponseBudget answers;
    private final CacheableResponses replies;
    private final Handler<HttpServerRequest> router;

    ReadFastPath(
            ReadCache cache,
            RateLimitHandler gate,
            ResponseBudget answers,
            CacheableResponses replies,
            Handler<HttpServerRequest> router) {
        this.cache = cache;
        this.gate = gate;
        this.answers = answers;
        this.replies = replies;
        this.router = router;
    }

    @Override
    public void handle(HttpServerRequest request) {
        if (!TransferCodings.areKnown(request)) {
            ErrorResponses.refuseUndelimited(request);
        } else if (HttpMethod.CONNECT.equals(request.method())) {
            // In HTTP/2 such a request has no path (RFC 9113 §8.5).
            ErrorResponses.refuse(request, "This server is no proxy");
        } else if (!hostHeaderValidator.isNamed(request)) {
            ErrorResponses.refuse(request, "The header Host is missing, is there twice or names no host");
        } else {
            gate.admit(request, this::answer);
        }
    }

    private void answer(HttpServerRequest request) {
        Optional<CachedResponse> hit = isCandidate(request) ? cache.lookupUrl(request.uri()) : Optional.empty();
        if (hit.isPresent()) {
            replies.sendHit(request, hit.get(), answers);
        } else if (!RequestTargets.isAcceptable(request.uri())) {
            ErrorResponses.refuse(
                    request, "The path or the query has a broken escape, a dot segment or a character to escape");
        } else if (Cors.isPreflight(request)) {
            Cors.respondToPreflight(request);
        } else {
            Cors.apply(request, request.response());
            router.handle(request);
        }
    }

    private static boolean isCandidate(HttpServerRequest request) {
        return HttpMethod.GET.equals(request.method())
                && request.uri().startsWith(OBJECTS)
                && !request.headers().contains(HttpHeaders.AUTHORIZATION)
                && !request.headers().contains(FreshnessDemand.HEADER)
                && !ReadConditions.wantsFresh(request);
    }
}
