package io.orestes.auth.token;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Principal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The authenticated sender of a request: its principal and its session, if any.
 *
 * @param principal identity and roles that decide on permissions
 * @param tokenSession session of its token; {@code null} if it sent none
 */
public record Caller(Principal principal, @Nullable Session tokenSession) {

    /** Caller that is not logged in. */
    public static final Caller ANONYMOUS = new Caller(Principal.ANONYMOUS);

    /** Creates a caller that sent no token. */
    public Caller(Principal principal) {
        this(principal, null);
    }

    /** Returns the session of its token; empty if it sent none. */
    public Optional<Session> session() {
        return Optional.ofNullable(tokenSession);
    }

    /**
     * Returns this caller if it may create tokens that outlive its own; fails with {@code
     * PERMISSION_DENIED} if its token has a limited lifetime.
     */
    public Caller requireLasting() {
        if (tokenSession != null && tokenSession.isLimited()) {
            throw new ApiException(
                    ErrorCode.PERMISSION_DENIED,
                    "A token of limited lifetime issues no other tokens and changes no passwords");
        }
        return this;
    }
}
