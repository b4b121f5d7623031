package io.orestes.auth;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Log-in by user name and password (protocol §5.2). Safe for all threads. */
public final class LoginService {

    private static final int MAX_LENGTH = 1024;

    private final Users users;
    private final Credentials credentials;
    private final PasswordHasher hasher;
    private final TokenService tokens;
    private final LoginThrottle throttle;
    private final Future<PasswordHash> nobodysHash;

    public LoginService(ObjectStore store, Vertx vertx, TokenService tokens, AuthConfig config, InstantSource clock) {
        this.users = new Users(store);
        this.credentials = new Credentials(store);
        this.hasher = new PasswordHasher(vertx, config);
        this.tokens = tokens;
        this.throttle = new LoginThrottle(clock);
        this.nobodysHash = hasher.hash(UUID.randomUUID().toString());
    }

    /**
     * Starts a session. Fails with {@code BAD_CREDENTIALS}, in the same words and after the same time whatever was wrong;
     * with {@code TOO_MANY_REQUESTS} after too many failures under that name or while too many log-ins wait.
     */
    public Future<Login> login(String username, String password) {
        if (username.length() > MAX_LENGTH || password.length() > MAX_LENGTH) {
            return Future.failedFuture(wrong());
        }
        return users.named(username)
                .compose(user -> hashOf(user).compose(hash -> check(username, password, hash, user)));
    }

    /** Gives a user a password, whatever the old one was. */
    Future<Void> setPassword(ObjectRef user, String password) {
        if (!isPassword(password)) {
            return Future.failedFuture(new ApiException(
                    ErrorCode.BAD_REQUEST, "A password has between 1 and " + MAX_LENGTH + " characters"));
        }
        return hasher.hash(password).compose(hash -> credentials.set(user, hash));
    }

    /** Whether a text can be a password. */
    static boolean isPassword(String text) {
        return !text.isEmpty() && text.length() <= MAX_LENGTH;
    }

    /** Whether the user has a password. */
    Future<Boolean> hasPassword(ObjectRef user) {
        return credentials.find(user).map(Optional::isPresent);
    }

    /** The user's hash; where there is none, one that takes as long to check and whose password nobody knows. */
    private Future<PasswordHash> hashOf(Optional<StoredObject> user) {
        return user.map(known -> credentials.find(known.ref()))
                .orElse(Future.succeededFuture(Optional.empty()))
                .compose(hash -> hash.map(Future::succeededFuture).orElse(nobodysHash));
    }

    private Future<Login> check(String username, String password, PasswordHash hash, Optional<StoredObject> user) {
        return hasher.run(() -> {
                    throttle.requireOpen(username);
                    boolean matches = hash.matches(password);
                    note(username, matches);
                    return matches;
                })
                .map(matches -> session(matches ? user.orElse(null) : null));
    }

    private void note(String username, boolean success) {
        if (success) {
            throttle.succeeded(username);
        } else {
            throttle.failed(username);
        }
    }

    private Login session(@Nullable StoredObject user) {
        if (user == null) {
            throw wrong();
        }
        if (!Users.isActive(user)) {
            throw new ApiException(ErrorCode.BAD_CREDENTIALS, "The account is not active");
        }
        return new Login(user, tokens.issue(user.ref()));
    }

    private static ApiException wrong() {
        return new ApiException(ErrorCode.BAD_CREDENTIALS, "User name or password is incorrect");
    }
}
