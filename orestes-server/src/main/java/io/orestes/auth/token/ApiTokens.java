package io.orestes.auth.token;

import io.orestes.auth.password.Credential;
import io.orestes.auth.password.CredentialStore;
import io.orestes.auth.rights.AccessControl;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;

/**
 * The issue and revocation of API tokens and role tokens, beside those of sessions (protocol §5.8).
 * An API token is valid until it is revoked, or for a given time. Thread-safe.
 */
public final class ApiTokens {

    private final ObjectStore store;
    private final CredentialStore credentialStore;
    private final TokenService tokens;

    public ApiTokens(ObjectStore store, CredentialStore credentialStore, TokenService tokens) {
        this.store = store;
        this.credentialStore = credentialStore;
        this.tokens = tokens;
    }

    /**
     * Issues a token for a user that is valid until it is revoked. Fails with {@code
     * OBJECT_NOT_FOUND}.
     */
    public Future<String> issueUnlimited(ObjectRef user) {
        return existing(user)
                .compose(found -> credentialStore.find(user))
                .map(credential -> tokens.issueUnlimited(user, credential));
    }

    /**
     * Issues a token for a user that is valid for {@code life}, if it is not revoked before. Fails
     * with {@code OBJECT_NOT_FOUND}.
     */
    public Future<String> issueFor(Duration life, ObjectRef user) {
        return existing(user)
                .compose(found -> credentialStore.find(user))
                .map(credential -> tokens.issueFor(life, user, credential));
    }

    /**
     * Ends all sessions and connections of a user's tokens. Fails with {@code OBJECT_NOT_FOUND}.
     *
     * @return a new token for the caller if it was the caller's own user
     */
    public Future<Optional<String>> revoke(Caller caller, ObjectRef user) {
        return existing(user)
                .compose(found -> credentialStore.change(user, Credential::revoked))
                .map(now -> caller.session()
                        .filter(session -> session.user().equals(user))
                        .map(session -> tokens.reissue(session, now)));
    }

    /**
     * Issues a token by which only that role of the caller counts, beside the rights of every
     * logged-in user. Fails with {@code PERMISSION_DENIED} if the caller does not have the role or
     * has a token of limited lifetime, as this one is renewed; with {@code OBJECT_NOT_FOUND} if
     * there is no such role.
     */
    public Future<String> issueForRole(Caller caller, ObjectRef role) {
        return existing(role).map(found -> tokens.restrictToRole(member(caller, found), role));
    }

    private static Session member(Caller caller, StoredObject role) {
        String id = role.ref().id();
        return caller.session()
                .filter(session -> caller.principal().identities().contains(id) && !session.isLimited())
                .orElseThrow(() -> AccessControl.canRead(caller.principal(), role)
                        ? new ApiException(
                                ErrorCode.PERMISSION_DENIED,
                                "Only members can assume the role " + id + ", by a session of their own")
                        : missing(role.ref()));
    }

    private Future<StoredObject> existing(ObjectRef ref) {
        return store.find(ref).map(found -> found.orElseThrow(() -> missing(ref)));
    }

    private static ApiException missing(ObjectRef ref) {
        return new ApiException(ErrorCode.OBJECT_NOT_FOUND, "There is no object " + ref.id());
    }
}
