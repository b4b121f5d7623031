package io.orestes.auth.token;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Principal;
import java.util.Optional;

/**
 * The authenticated sender of a request: its principal and its session, if any.
 *
 * @param principal identity and roles that decide on permissions
 * @param session session of its token; absent if it sent none
 */
public record Caller(Principal principal, Optional<Session> session) {

    /** Caller that is not logged in. */
    public static final Caller ANONYMOUS = new Caller(Principal.ANONYMOUS, Optional.empty());

    /**
     * Returns this caller if it may create tokens that outlive its own; fails with {@code
     * PERMISSION_DENIED} if its token has a limited lifetime.
     */
    public Caller requireLasting() {
        if (session.filter(Session::isLimited).isPresent()) {
            throw new ApiException(
                    ErrorCode.PERMISSION_DENIED,
                    "A token of limited lifetime issues no other tokens and changes no passwords");
        }
        return this;
    }
}
