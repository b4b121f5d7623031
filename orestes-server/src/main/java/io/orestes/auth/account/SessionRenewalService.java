package io.orestes.auth.account;

import io.orestes.auth.token.Caller;
import io.orestes.auth.token.Session;
import io.orestes.auth.token.TokenService;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.util.Optional;

/** The service that resumes sessions by their tokens and renews these (protocol §5.3). */
public final class SessionRenewalService {

    private final TokenService tokens;
    private final ObjectStore store;

    public SessionRenewalService(TokenService tokens, ObjectStore store) {
        this.tokens = tokens;
        this.store = store;
    }

    /**
     * Returns the user of a caller, with a token that lives at least as long as the caller's own.
     * Empty for anonymous callers and if {@code found} failed because the token is not valid any
     * more.
     */
    public Future<Optional<OpenedSession>> resume(Future<Caller> found) {
        return found.compose(
                        caller -> caller.session().map(this::resume).orElse(Future.succeededFuture(Optional.empty())))
                .recover(failure -> ApiException.of(failure).code() == ErrorCode.BAD_CREDENTIALS
                        ? Future.succeededFuture(Optional.empty())
                        : Future.failedFuture(failure));
    }

    private Future<Optional<OpenedSession>> resume(Session session) {
        return store.find(session.user())
                .map(found -> found.map(user -> new OpenedSession(
                        user, tokens.renew(session).orElseGet(() -> tokens.currentToken(session)), session.kind())));
    }

    /**
     * Returns the new token to send with a response to a successful write; empty if none is due.
     */
    public Optional<String> renewal(Caller caller) {
        return caller.session().flatMap(tokens::renew);
    }
}
