package io.orestes.http.caller;

import io.orestes.auth.account.SessionRenewalService;
import io.orestes.auth.limit.RequestRateLimiter;
import io.orestes.auth.token.Authenticator;
import io.orestes.auth.token.Caller;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Principal;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.function.Function;

/**
 * The authentication of requests before their handlers run, with renewal of sessions that write
 * (protocol §5.3).
 */
public final class RequestAuthenticator {

    private final Authenticator authenticator;
    private final SessionRenewalService sessionRenewalService;
    private final RequestRateLimiter limits;
    private final ClientAddressResolver addresses;

    public RequestAuthenticator(
            Authenticator authenticator,
            SessionRenewalService sessionRenewalService,
            RequestRateLimiter limits,
            ClientAddressResolver addresses) {
        this.authenticator = authenticator;
        this.sessionRenewalService = sessionRenewalService;
        this.limits = limits;
        this.addresses = addresses;
    }

    /**
     * Wraps a handler that needs the caller; an invalid token fails the request with {@code
     * BAD_CREDENTIALS}.
     */
    public <T> Function<RoutingContext, Future<T>> authenticated(AuthenticatedHandler<T> authenticatedHandler) {
        return ctx -> authenticated(ctx.request(), principal -> authenticatedHandler.handle(ctx, principal));
    }

    /** Authenticates a request outside of the router. */
    public <T> Future<T> authenticated(HttpServerRequest request, Function<Principal, Future<T>> authenticatedHandler) {
        return of(request)
                .compose(
                        caller -> authenticatedHandler.apply(caller.principal()).map(done -> {
                            renew(request, caller);
                            return done;
                        }));
    }

    /** Wraps a handler for admins only; others get {@code PERMISSION_DENIED}. */
    public <T> Function<RoutingContext, Future<T>> admin(AuthenticatedHandler<T> authenticatedHandler) {
        return authenticated((ctx, principal) -> authenticatedHandler.handle(ctx, requireAdmin(principal)));
    }

    /** Wraps a handler for admins only that streams its response. */
    public Function<RoutingContext, Future<Void>> streamingAdmin(AuthenticatedHandler<Void> authenticatedHandler) {
        return ctx -> of(ctx.request()).compose(caller -> {
            Principal admin = requireAdmin(caller.principal());
            ctx.addHeadersEndHandler(begun -> {
                if (ctx.response().getStatusCode() < 400) {
                    renew(ctx.request(), caller);
                }
            });
            return authenticatedHandler.handle(ctx, admin);
        });
    }

    /** Fails with {@code PERMISSION_DENIED} unless the principal is an admin. */
    static Principal requireAdmin(Principal principal) {
        if (!principal.isAdmin()) {
            throw new ApiException(ErrorCode.PERMISSION_DENIED, "Only admins may do that");
        }
        return principal;
    }

    /** Admits only admins, before their body is read. */
    public void admitAdmin(RoutingContext ctx) {
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

    /** Returns the caller; fails with {@code BAD_CREDENTIALS} on an invalid token. */
    Future<Caller> of(HttpServerRequest request) {
        return authenticator.caller(request).onSuccess(caller -> {
            if (limits.isEnabled() && caller.principal().isAdmin()) {
                limits.refund(addresses.of(request));
            }
        });
    }

    /**
     * Returns the key of limits for the caller of a request; see {@link
     * RequestRateLimiter#countingKey}.
     */
    public Optional<String> countingKey(HttpServerRequest request, Principal principal) {
        return limits.countingKey(principal, addresses.of(request));
    }

    /** Returns the caller; an invalid token counts as anonymous. */
    public Future<Caller> ifValid(HttpServerRequest request) {
        return of(request)
                .recover(failure -> ApiException.of(failure).code() == ErrorCode.BAD_CREDENTIALS
                        ? Future.succeededFuture(Caller.ANONYMOUS)
                        : Future.failedFuture(failure));
    }

    /**
     * Renews the token, except on reads: caches may store their responses, and must not store
     * tokens.
     */
    private void renew(HttpServerRequest request, Caller caller) {
        if (!HttpMethod.GET.equals(request.method()) && !HttpMethod.HEAD.equals(request.method())) {
            sessionRenewalService.renewal(caller).ifPresent(token -> request.response()
                    .putHeader(UserRoutes.TOKEN, token));
        }
    }

    /** A request handler that receives the authenticated principal. */
    public interface AuthenticatedHandler<T> {
        Future<T> handle(RoutingContext ctx, Principal principal);
    }
}
