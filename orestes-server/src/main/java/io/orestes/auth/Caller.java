package io.orestes.auth;

import io.orestes.model.Principal;
import java.util.Optional;

/**
 * Who sent a request.
 *
 * @param principal what it may do is decided by this
 * @param session the session its token stands for; absent if it sent none
 */
public record Caller(Principal principal, Optional<Session> session) {

    /** Nobody is logged in. */
    public static final Caller ANONYMOUS = new Caller(Principal.ANONYMOUS, Optional.empty());
}
