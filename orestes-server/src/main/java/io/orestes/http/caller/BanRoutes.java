package io.orestes.http.caller;

import io.orestes.auth.limit.RequestRateLimiter;
import io.orestes.http.protocol.ApiResponse;
import io.orestes.http.protocol.ApiRouter;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.UriComponent;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;

/**
 * The routes of {@code /banned}, which show and lift the bans of client networks (protocol §17.5).
 */
public final class BanRoutes {

    private final RequestAuthenticator requestAuthenticator;
    private final RequestRateLimiter limits;

    public BanRoutes(RequestAuthenticator requestAuthenticator, RequestRateLimiter limits) {
        this.requestAuthenticator = requestAuthenticator;
        this.limits = limits;
    }

    public void mount(ApiRouter apiRouter) {
        apiRouter
                .get("/banned", ctx -> Future.failedFuture(banned(Duration.ZERO)))
                .get("/banned/:ip", this::state)
                .delete("/banned", requestAuthenticator.admin((ctx, admin) -> lifted(limits::unbanAll)))
                .delete(
                        "/banned/:ip",
                        requestAuthenticator.admin((ctx, admin) -> lifted(() -> limits.unban(address(ctx)))));
    }

    private Future<ApiResponse> state(RoutingContext ctx) {
        Duration rest = limits.bannedFor(address(ctx));
        return rest.isZero() ? Future.succeededFuture(ApiResponse.empty(204)) : Future.failedFuture(banned(rest));
    }

    private static Future<ApiResponse> lifted(Runnable lift) {
        lift.run();
        return Future.succeededFuture(ApiResponse.empty(204));
    }

    /**
     * Creates the refusal of a banned network. The refusal without a known end is for caches, which
     * send it themselves.
     */
    private static ApiException banned(Duration rest) {
        ApiException failure = new ApiException(ErrorCode.TOO_MANY_REQUESTS, "Too many requests from this address");
        return rest.isZero() ? failure : failure.withRetryAfter(rest);
    }

    private static String address(RoutingContext ctx) {
        return UriComponent.decode(ctx.pathParam("ip"))
                .filter(text -> IpAddressParser.parse(text).isPresent())
                .orElseThrow(() -> new ApiException(ErrorCode.BAD_REQUEST, "Not an address"));
    }
}
