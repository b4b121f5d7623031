package io.orestes.auth;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.Principal;
import java.util.Optional;

/**
 * The authenticated sender of a request: its principal and its session, if any.
 *
 * @param principal what it may do is decided by this
 * @param session the session its token stands for; absent if it sent none
 */
public record Caller(Principal principal, Optional<Session> session) {

    /** Nobody is logged in. */
    public static final Caller ANONYMOUS = new Caller(Principal.ANONYMOUS, Optional.empty());

    /**
     * This caller, if something may be made that lasts longer than the token that came; fails with
     * {@code PERMISSION_DENIED} if that was issued for a while.
     */
    public Caller requireLasting() {
        if (session.filter(Session::isLimited).isPresent()) {
            throw new ApiException(
                    ErrorCode.PERMISSION_DENIED, "A token for a while makes no other tokens and changes no passwords");
        }
        return this;
    }
}
