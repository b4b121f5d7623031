package io.orestes.auth.account;

import io.orestes.auth.password.Credential;
import io.orestes.auth.password.PasswordService;
import io.orestes.auth.rights.UserRepository;
import io.orestes.auth.token.Caller;
import io.orestes.auth.token.Session;
import io.orestes.auth.token.TokenService;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Log-in by user name and password, and changes of passwords (protocol §5.2, §5.4). Safe for all
 * threads.
 */
public final class LoginService {

    private final UserRepository userRepository;
    private final PasswordService passwordService;
    private final TokenService tokens;

    public LoginService(ObjectStore store, PasswordService passwordService, TokenService tokens) {
        this.userRepository = new UserRepository(store);
        this.passwordService = passwordService;
        this.tokens = tokens;
    }

    /**
     * Starts a session. Fails with {@code BAD_CREDENTIALS}, with one message and after one delay
     * whatever was wrong; with {@code TOO_MANY_REQUESTS} after too many failures from that address
     * or while too many log-ins are queued.
     *
     * @param address IP address that the request comes from
     */
    public Future<OpenedSession> login(String username, String password, String address) {
        return passwordService
                .verify(username, password, address)
                .map(proven -> opened(proven.user(), proven.credential()));
    }

    /**
     * Replaces the password of a user. Admins need not give the old one; for others a wrong one
     * fails as a log-in does. Ends all sessions of the user, and opens one unless the caller is
     * logged in as another user.
     *
     * @return fails with {@code OBJECT_NOT_FOUND} if an admin names no existing user
     */
    public Future<PasswordChange> changePassword(Caller caller, NewPassword change, String address) {
        PasswordService.requirePassword(change.next());
        return caller.principal().isAdmin()
                ? userRepository
                        .named(change.username())
                        .map(user -> user.orElseThrow(LoginService::nobody))
                        .compose(user ->
                                passwordService.set(user.ref(), change.next()).map(now -> changed(caller, user, now)))
                : passwordService
                        .verify(change.username(), change.old(), address)
                        .compose(proven -> passwordService
                                .replace(proven, change.next())
                                .map(now -> changed(caller, proven.user(), now)));
    }

    /**
     * Removes the password of a session's user, ends all sessions, and returns a token for a new
     * one.
     */
    public Future<String> removePassword(Session session) {
        return passwordService.remove(session.user()).map(now -> tokens.reissue(session, now));
    }

    private PasswordChange changed(Caller caller, StoredObject user, Credential now) {
        return new PasswordChange(
                user,
                caller.session().isEmpty()
                        ? tokens.issue(user.ref(), now)
                        : own(caller, user.ref())
                                .map(session -> tokens.reissue(session, now))
                                .orElse(null));
    }

    private static Optional<Session> own(Caller caller, ObjectRef user) {
        return caller.session().filter(session -> session.user().equals(user));
    }

    private OpenedSession opened(StoredObject user, Credential credential) {
        return new OpenedSession(user, tokens.issue(user.ref(), credential), Session.Kind.SESSION);
    }

    private static ApiException nobody() {
        return new ApiException(ErrorCode.OBJECT_NOT_FOUND, "There is no user of that name");
    }

    /**
     * A request for another password.
     *
     * @param old current password; may be empty
     */
    public record NewPassword(String username, String old, String next) {}

    /**
     * A user with a new password.
     *
     * @param newToken token of the new session; {@code null} if another user changed the password
     */
    public record PasswordChange(StoredObject user, @Nullable String newToken) {

        /** Returns the token of the new session; empty if another user changed the password. */
        public Optional<String> token() {
            return Optional.ofNullable(newToken);
        }
    }
}
