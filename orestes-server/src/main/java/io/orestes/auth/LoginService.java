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
     * with {@code TOO_MANY_REQUESTS} after too many failures from that address or while too many log-ins wait.
     *
     * @param address IP address that the request comes from
     */
    public Future<Login> login(String username, String password, String address) {
        if (username.length() > MAX_LENGTH || password.length() > MAX_LENGTH) {
            return Future.failedFuture(wrong());
        }
        return users.named(username).compose(user -> hashOf(user)
                .compose(hash -> check(new Attempt(username, password, ClientNetwork.of(address)), hash, user)));
    }

    /** Gives a user that password. If the user has it already nothing changes, and sessions go on. */
    Future<Void> ensurePassword(ObjectRef user, String password) {
        return credentials
                .find(user)
                .compose(known -> known.isPresent()
                        ? hasher.run(() -> known.get().matches(password))
                        : Future.succeededFuture(false))
                .compose(same -> same ? Future.succeededFuture() : setPassword(user, password));
    }

    /** Gives a user a password, whatever the old one was; tokens that were issued before are worth nothing any more. */
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

    private Future<Login> check(Attempt attempt, PasswordHash hash, Optional<StoredObject> user) {
        return hasher.run(() -> {
                    throttle.requireOpen(attempt.username, attempt.network);
                    boolean matches = hash.matches(attempt.password);
                    note(attempt, matches);
                    return matches;
                })
                .map(matches -> session(matches ? user.orElse(null) : null, hash));
    }

    private void note(Attempt attempt, boolean success) {
        if (success) {
            throttle.succeeded(attempt.username, attempt.network);
        } else {
            throttle.failed(attempt.username, attempt.network);
        }
    }

    private Login session(@Nullable StoredObject user, PasswordHash hash) {
        if (user == null) {
            throw wrong();
        }
        if (!Users.isActive(user)) {
            throw new ApiException(ErrorCode.BAD_CREDENTIALS, "The account is not active");
        }
        return new Login(user, tokens.issue(user.ref(), Optional.of(hash)));
    }

    private static ApiException wrong() {
        return new ApiException(ErrorCode.BAD_CREDENTIALS, "User name or password is incorrect");
    }

    private record Attempt(String username, String password, ClientNetwork network) {}
}
