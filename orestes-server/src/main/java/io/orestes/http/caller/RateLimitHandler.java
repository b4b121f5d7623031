package io.orestes.http.caller;

import io.orestes.auth.limit.RequestRateLimiter;
import io.orestes.auth.token.Authenticator;
import io.orestes.http.protocol.Cors;
import io.orestes.http.protocol.ErrorResponses;
import io.orestes.http.protocol.ResponseSender;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;

/**
 * The handler that rejects requests of networks over their rate limit (protocol §17.5). It runs
 * before any work is done for the request.
 */
public final class RateLimitHandler {

    private final RequestRateLimiter limits;
    private final ClientAddressResolver addresses;
    private final Authenticator authenticator;

    public RateLimitHandler(RequestRateLimiter limits, ClientAddressResolver addresses, Authenticator authenticator) {
        this.limits = limits;
        this.addresses = addresses;
        this.authenticator = authenticator;
    }

    /** Passes the request on, or answers it with {@code TOO_MANY_REQUESTS}. */
    public void admit(HttpServerRequest request, Handler<HttpServerRequest> next) {
        if (!limits.isEnabled() || limits.admits(addresses.of(request))) {
            next.handle(request);
        } else if (request.headers().contains(HttpHeaders.AUTHORIZATION)) {
            passIfAdmin(request, next);
        } else {
            refuse(request);
        }
    }

    private void passIfAdmin(HttpServerRequest request, Handler<HttpServerRequest> next) {
        request.pause();
        authenticator.principal(request.getHeader(HttpHeaders.AUTHORIZATION)).onComplete(found -> {
            request.resume();
            if (found.succeeded() && found.result().isAdmin()) {
                next.handle(request);
            } else {
                refuse(request);
            }
        });
    }

    private void refuse(HttpServerRequest request) {
        ApiException refusal = new ApiException(ErrorCode.TOO_MANY_REQUESTS, "Too many requests from this address")
                .withRetryAfter(limits.bannedFor(addresses.of(request)));
        Cors.apply(request, request.response());
        ResponseSender.send(request, ErrorResponses.toResponse(refusal, "banned"));
    }
}
