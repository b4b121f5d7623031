package io.orestes.http;

import io.orestes.auth.Authenticator;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Principal;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.function.Function;

/** Finds out on whose behalf a request runs before its handler does. */
final class Caller {

    private final Authenticator authenticator;

    Caller(Authenticator authenticator) {
        this.authenticator = authenticator;
    }

    /** A handler that needs to know the caller; an invalid token fails the request with {@code BAD_CREDENTIALS}. */
    <T> Function<RoutingContext, Future<T>> known(Handling<T> handling) {
        return ctx -> of(ctx.request()).compose(principal -> handling.handle(ctx, principal));
    }

    /** A handler for admins only; others get {@code PERMISSION_DENIED}. */
    <T> Function<RoutingContext, Future<T>> admin(Handling<T> handling) {
        return known((ctx, principal) -> principal.isAdmin()
                ? handling.handle(ctx, principal)
                : Future.failedFuture(new ApiException(ErrorCode.PERMISSION_DENIED, "Only admins may do that")));
    }

    /** Lets only admins go on, before their body is read. */
    void admitAdmin(RoutingContext ctx) {
        ctx.request().pause();
        admin((same, principal) -> Future.succeededFuture()).apply(ctx).onComplete(done -> {
            ctx.request().resume();
            if (done.succeeded()) {
                ctx.next();
            } else {
                ctx.fail(done.cause());
            }
        });
    }

    /** The caller; fails with {@code BAD_CREDENTIALS} on an invalid token. */
    Future<Principal> of(HttpServerRequest request) {
        return authenticator.principal(authorization(request));
    }

    /** The token as sent, if any. */
    static Optional<String> authorization(RoutingContext ctx) {
        return authorization(ctx.request());
    }

    private static Optional<String> authorization(HttpServerRequest request) {
        return Optional.ofNullable(request.getHeader(HttpHeaders.AUTHORIZATION));
    }

    /** What is done for a known caller. */
    interface Handling<T> {
        Future<T> handle(RoutingContext ctx, Principal principal);
    }
}
