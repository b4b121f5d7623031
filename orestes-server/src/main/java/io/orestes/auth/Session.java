package io.orestes.auth;

import io.orestes.model.ObjectRef;
import java.time.Instant;
import java.util.Optional;

/**
 * The session that a valid token stands for: user, validity, credential mark and role.
 *
 * @param user who is logged in
 * @param created when the token was issued, whole seconds
 * @param expires from when on the token is invalid, whole seconds
 * @param mark stands for the credential that the user had then, see {@link TokenService#mark}
 * @param kind how the token is renewed while it is in use
 * @param role the only declared role of the user that counts; absent if all do
 */
public record Session(
        ObjectRef user, Instant created, Instant expires, String mark, Kind kind, Optional<ObjectRef> role) {

    /** What becomes of a token in use. */
    public enum Kind {

        /** It is renewed. */
        SESSION,

        /** It lasts until it is revoked or expires, and is not renewed. */
        API
    }

    /** Whether it was issued for a while, so that nothing that lasts longer may be made of it. */
    boolean isLimited() {
        return kind == Kind.API && expires.isBefore(TokenCodec.NEVER);
    }

    Session only(ObjectRef assumed) {
        return new Session(user, created, expires, mark, kind, Optional.of(assumed));
    }
}
