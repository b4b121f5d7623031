package io.orestes.auth;

import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.store.ObjectStore;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The service that verifies, sets and removes passwords, throttles guesses and hides which part was
 * wrong. A wrong name and a wrong password get the same answer after the same time. Failures are
 * counted whether somebody has the name or not. Safe for all threads.
 */
public final class PasswordService {

    /** With more of them waiting, log-ins are refused. */
    public static final int MOST_WAITING = PasswordHasher.MAX_WAITING;

    private static final int MAX_LENGTH = 1024;

    private final Vertx vertx;
    private final UserRepository userRepository;
    private final CredentialStore credentialStore;
    private final PasswordHasher hasher;
    private final LoginThrottle throttle;
    private final ObjectRef nobody =
            new ObjectRef(UserRepository.BUCKET, UUID.randomUUID().toString());
    private final Future<PasswordHash> nobodysHash;

    public PasswordService(
            ObjectStore store,
            CredentialStore credentialStore,
            Vertx vertx,
            AuthConfig config,
            RateLimitConfig limits,
            InstantSource clock) {
        this(
                store,
                credentialStore,
                vertx,
                new PasswordHasher(vertx, config, limits.on()),
                new LoginThrottle(clock, limits));
    }

    PasswordService(
            ObjectStore store,
            CredentialStore credentialStore,
            Vertx vertx,
            PasswordHasher hasher,
            LoginThrottle throttle) {
        this.vertx = vertx;
        this.userRepository = new UserRepository(store);
        this.credentialStore = credentialStore;
        this.hasher = hasher;
        this.throttle = throttle;
        this.nobodysHash = hasher.hash(UUID.randomUUID().toString());
    }

    /** How many passwords are being hashed or wait for that. */
    public int waiting() {
        return hasher.waiting();
    }

    /** A user whose password was given. */
    record Proven(StoredObject user, Credential credential) {}

    /**
     * The user of that name and password. Fails with {@code BAD_CREDENTIALS} if there is none, with
     * {@code TOO_MANY_REQUESTS} after too many failures from that address or while too much is
     * waiting.
     */
    Future<Proven> prove(String username, String password, String address) {
        if (username.length() > MAX_LENGTH || !mayBePassword(password)) {
            return Future.failedFuture(wrong());
        }
        Attempt attempt = new Attempt(username, password, ClientNetwork.of(address));
        return userRepository.named(username).compose(user -> credentialOf(user)
                .compose(credential -> hashOf(credential)
                        .compose(hash -> check(attempt, hash))
                        .map(matches -> proven(matches ? user.orElse(null) : null, credential))));
    }

    /** Looked for even if there is no user, since looking takes its time. */
    private Future<Credential> credentialOf(Optional<StoredObject> user) {
        return credentialStore.find(user.map(StoredObject::ref).orElse(nobody));
    }

    /**
     * The user's hash; where there is none, one that takes as long to check and whose password
     * nobody knows.
     */
    private Future<PasswordHash> hashOf(Credential credential) {
        return credential.password().map(Future::succeededFuture).orElse(nobodysHash);
    }

    /**
     * A guess counts from before it is hashed, or as many would pass at once as there are threads
     * that hash.
     */
    private Future<Boolean> check(Attempt attempt, PasswordHash hash) {
        Context home = vertx.getOrCreateContext();
        return throttle.begin(attempt.username, attempt.network, task -> home.runOnContext(turn -> task.run()))
                .compose(guess -> hasher.run(argon -> hash.matches(attempt.password, argon))
                        .onComplete(guess::ended));
    }

    private static Proven proven(@Nullable StoredObject user, Credential credential) {
        if (user == null) {
            throw wrong();
        }
        if (!UserRepository.isActive(user)) {
            throw new ApiException(ErrorCode.BAD_CREDENTIALS, "The account is not active");
        }
        return new Proven(user, credential);
    }

    /**
     * Gives a user that password. If the user has it already nothing changes, and sessions go on.
     */
    Future<Void> ensure(ObjectRef user, String password) {
        return credentialStore
                .find(user)
                .compose(known -> known.password()
                        .map(hash -> hasher.run(argon -> hash.matches(password, argon)))
                        .orElse(Future.succeededFuture(false)))
                .compose(same ->
                        same ? Future.succeededFuture() : set(user, password).mapEmpty());
    }

    /**
     * Gives a user a password, whatever the old one was; tokens that were issued before are worth
     * nothing any more.
     */
    Future<Credential> set(ObjectRef user, String password) {
        return hash(password).compose(hash -> credentialStore.change(user, current -> current.with(hash)));
    }

    /** The same for a user who has given the old one, which has to be the password still. */
    Future<Credential> replace(Proven proven, String password) {
        return hash(password)
                .compose(hash -> credentialStore.change(proven.user().ref(), current -> current.require(
                                proven.credential().password())
                        .with(hash)));
    }

    /** Nobody can log in as that user by password any more; ends all sessions. */
    Future<Credential> remove(ObjectRef user) {
        return credentialStore.change(user, Credential::withoutPassword);
    }

    /** Takes back the password of a user that did not come into being. */
    Future<Void> forget(ObjectRef user) {
        return credentialStore.forget(user);
    }

    private Future<PasswordHash> hash(String password) {
        requirePassword(password);
        return hasher.hash(password);
    }

    /** Fails with {@code BAD_REQUEST} on what cannot be a password. */
    static void requirePassword(String text) {
        if (!isPassword(text)) {
            throw new ApiException(
                    ErrorCode.BAD_REQUEST, "A password has between 1 and " + MAX_LENGTH + " characters of text");
        }
    }

    /** Whether a text can be a password. */
    static boolean isPassword(String text) {
        return !text.isEmpty() && mayBePassword(text);
    }

    private static boolean mayBePassword(String given) {
        return given.length() <= MAX_LENGTH && UserRepository.isText(given);
    }

    /** Whether the user has a password. */
    Future<Boolean> isSet(ObjectRef user) {
        return credentialStore.find(user).map(known -> known.password().isPresent());
    }

    private static ApiException wrong() {
        return new ApiException(ErrorCode.BAD_CREDENTIALS, "User name or password is incorrect");
    }

    private record Attempt(String username, String password, ClientNetwork network) {}
}
