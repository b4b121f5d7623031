package io.orestes.auth.token;

import io.orestes.model.ObjectRef;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The session that a valid token stands for: user, validity, credential mark and role.
 *
 * @param user the logged-in user
 * @param created time of issue, whole seconds
 * @param expires time from which the token is invalid, whole seconds
 * @param fingerprint mark of the user's credential at issue, see {@link TokenService#fingerprint}
 * @param kind renewal of the token while it is in use
 * @param onlyRole the only declared role of the user that counts; {@code null} if all do
 */
public record Session(
        ObjectRef user, Instant created, Instant expires, String fingerprint, Kind kind, @Nullable ObjectRef onlyRole) {

    /** The kinds of tokens by renewal while in use. */
    public enum Kind {

        /** A token that is renewed. */
        SESSION,

        /** A token that is valid until it is revoked or expires, and is not renewed. */
        API
    }

    /**
     * Returns whether the token has a limited lifetime, so that no token that outlives it may be
     * derived.
     */
    boolean isLimited() {
        return kind == Kind.API && expires.isBefore(TokenPayloadCodec.NEVER);
    }

    /** Returns the only declared role of the user that counts; empty if all do. */
    public Optional<ObjectRef> role() {
        return Optional.ofNullable(onlyRole);
    }

    Session restrictedTo(ObjectRef assumed) {
        return new Session(user, created, expires, fingerprint, kind, assumed);
    }
}
