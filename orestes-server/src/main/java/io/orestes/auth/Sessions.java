package io.orestes.auth;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.util.Optional;

/** Resumes sessions: whose a token is, and the token to go on with (protocol §5.3). */
public final class Sessions {

    private final Authenticator authenticator;
    private final TokenService tokens;
    private final ObjectStore store;

    public Sessions(Authenticator authenticator, TokenService tokens, ObjectStore store) {
        this.authenticator = authenticator;
        this.tokens = tokens;
        this.store = store;
    }

    /**
     * The user behind an {@code Authorization} header with a token that lives at least as long; empty for anonymous callers
     * and for tokens that are not valid any more.
     */
    public Future<Optional<Login>> resume(Optional<String> authorization) {
        return authenticator
                .caller(authorization)
                .compose(caller -> caller.session().map(this::resume).orElse(Future.succeededFuture(Optional.empty())))
                .recover(failure -> ApiException.of(failure).code() == ErrorCode.BAD_CREDENTIALS
                        ? Future.succeededFuture(Optional.empty())
                        : Future.failedFuture(failure));
    }

    private Future<Optional<Login>> resume(Session session) {
        return store.find(session.user())
                .map(found -> found.map(
                        user -> new Login(user, tokens.renew(session).orElseGet(() -> tokens.reissue(session)))));
    }
}
