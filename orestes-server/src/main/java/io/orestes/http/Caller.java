package io.orestes.http;

import io.orestes.auth.Authenticator;
import io.orestes.auth.RequestLimits;
import io.orestes.auth.Sessions;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Principal;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.function.Function;

/** Finds out on whose behalf a request runs before its handler does, and renews sessions that write (protocol §5.3). */
final class Caller {

    private final Authenticator authenticator;
    private final Sessions sessions;
    private final RequestLimits limits;
    private final ClientAddress addresses;

    Caller(Authenticator authenticator, Sessions sessions, RequestLimits limits, ClientAddress addresses) {
        this.authenticator = authenticator;
        this.sessions = sessions;
        this.limits = limits;
        this.addresses = addresses;
    }

    /** A handler that needs to know the caller; an invalid token fails the request with {@code BAD_CREDENTIALS}. */
    <T> Function<RoutingContext, Future<T>> known(Handling<T> handling) {
        return ctx -> known(ctx.request(), principal -> handling.handle(ctx, principal));
    }

    /** The same past the router. */
    <T> Future<T> known(HttpServerRequest request, Function<Principal, Future<T>> handling) {
        return of(request).compose(caller -> handling.apply(caller.principal()).map(done -> {
            renew(request, caller);
            return done;
        }));
    }

    /** A handler for admins only; others get {@code PERMISSION_DENIED}. */
    <T> Function<RoutingContext, Future<T>> admin(Handling<T> handling) {
        return known((ctx, principal) -> handling.handle(ctx, requireAdmin(principal)));
    }

    /** The same for answers that are begun before all is done. */
    Function<RoutingContext, Future<Void>> streamingAdmin(Handling<Void> handling) {
        return ctx -> of(ctx.request()).compose(caller -> {
            Principal admin = requireAdmin(caller.principal());
            ctx.addHeadersEndHandler(begun -> {
                if (ctx.response().getStatusCode() < 400) {
                    renew(ctx.request(), caller);
                }
            });
            return handling.handle(ctx, admin);
        });
    }

    /** Fails with {@code PERMISSION_DENIED} unless that is an admin. */
    static Principal requireAdmin(Principal principal) {
        if (!principal.isAdmin()) {
            throw new ApiException(ErrorCode.PERMISSION_DENIED, "Only admins may do that");
        }
        return principal;
    }

    /** Lets only admins go on, before their body is read. */
    void admitAdmin(RoutingContext ctx) {
        ctx.request().pause();
        of(ctx.request()).map(caller -> requireAdmin(caller.principal())).onComplete(done -> {
            ctx.request().resume();
            if (done.succeeded()) {
                ctx.next();
            } else {
                ctx.fail(done.cause());
            }
        });
    }

    /** The caller; fails with {@code BAD_CREDENTIALS} on an invalid token. */
    Future<io.orestes.auth.Caller> of(HttpServerRequest request) {
        return authenticator.caller(request).onSuccess(caller -> {
            if (limits.areOn() && caller.principal().isAdmin()) {
                limits.forgive(addresses.of(request));
            }
        });
    }

    /** By what the caller of a request is counted; see {@link RequestLimits#countedBy}. */
    Optional<String> countedBy(HttpServerRequest request, Principal principal) {
        return limits.countedBy(principal, addresses.of(request));
    }

    /** The caller, where a token that is not valid any more means nothing. */
    Future<io.orestes.auth.Caller> ifValid(HttpServerRequest request) {
        return of(request)
                .recover(failure -> ApiException.of(failure).code() == ErrorCode.BAD_CREDENTIALS
                        ? Future.succeededFuture(io.orestes.auth.Caller.ANONYMOUS)
                        : Future.failedFuture(failure));
    }

    /** What is read may be kept by caches, which must not keep tokens. */
    private void renew(HttpServerRequest request, io.orestes.auth.Caller caller) {
        if (!HttpMethod.GET.equals(request.method()) && !HttpMethod.HEAD.equals(request.method())) {
            sessions.renewal(caller).ifPresent(token -> request.response().putHeader(UserRoutes.TOKEN, token));
        }
    }

    /** What is done for a known caller. */
    interface Handling<T> {
        Future<T> handle(RoutingContext ctx, Principal principal);
    }
}
