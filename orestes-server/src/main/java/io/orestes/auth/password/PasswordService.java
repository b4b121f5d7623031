package io.orestes.auth.password;

import io.orestes.auth.limit.ClientNetwork;
import io.orestes.auth.limit.LoginThrottle;
import io.orestes.auth.rights.UserRepository;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.StoredObject;
import io.orestes.store.ObjectStore;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The service that verifies, sets and removes passwords, throttles guesses and hides which part was
 * wrong. A wrong name and a wrong password get one answer after one delay. Failures are counted
 * whether the name exists or not. Safe for all threads.
 */
public final class PasswordService {

    /** Number of waiting hashes above which log-ins are refused. */
    public static final int MAX_WAITING = PasswordHashingPool.MAX_WAITING;

    private static final int MAX_LENGTH = 1024;

    private final Vertx vertx;
    private final UserRepository userRepository;
    private final CredentialStore credentialStore;
    private final PasswordHashingPool hasher;
    private final LoginThrottle throttle;
    private final ObjectRef decoyUser =
            new ObjectRef(UserRepository.BUCKET, UUID.randomUUID().toString());
    private final Future<PasswordHash> decoyHash;

    public PasswordService(
            ObjectStore store,
            CredentialStore credentialStore,
            Vertx vertx,
            PasswordHashingPool hasher,
            LoginThrottle throttle) {
        this.vertx = vertx;
        this.userRepository = new UserRepository(store);
        this.credentialStore = credentialStore;
        this.hasher = hasher;
        this.throttle = throttle;
        this.decoyHash = hasher.hash(UUID.randomUUID().toString());
    }

    /** Returns the number of hashes that run or wait. */
    public int waiting() {
        return hasher.waiting();
    }

    /** A user whose password was verified. */
    public record VerifiedUser(StoredObject user, Credential credential) {}

    /**
     * Verifies a name and password and returns the user. Fails with {@code BAD_CREDENTIALS} if
     * there is none, with {@code TOO_MANY_REQUESTS} after too many failures from that address or
     * while too many hashes wait.
     */
    public Future<VerifiedUser> verify(String username, String password, String address) {
        if (username.length() > MAX_LENGTH || !mayBePassword(password)) {
            return Future.failedFuture(wrong());
        }
        Attempt attempt = new Attempt(username, password, ClientNetwork.of(address));
        // An absent user is looked up, too, since the look-up takes time.
        return userRepository.named(username).compose(user -> credentialStore
                .find(user.map(StoredObject::ref).orElse(decoyUser))
                .compose(credential -> hashOf(credential)
                        .compose(hash -> check(attempt, hash))
                        .map(matches -> proven(matches ? user.orElse(null) : null, credential))));
    }

    /**
     * Returns the user's hash; without one, a hash of an unknown password that takes as long to
     * check.
     */
    private Future<PasswordHash> hashOf(Credential credential) {
        return credential.password().map(Future::succeededFuture).orElse(decoyHash);
    }

    /**
     * Checks a guess. It counts before it is hashed; otherwise as many guesses would pass
     * concurrently as there are hashing threads.
     */
    private Future<Boolean> check(Attempt attempt, PasswordHash hash) {
        Context home = vertx.getOrCreateContext();
        return throttle.admit(attempt.username, attempt.network, task -> home.runOnContext(turn -> task.run()))
                .compose(guess -> hasher.run(argon -> hash.matches(attempt.password, argon))
                        .onComplete(guess::complete));
    }

    private static VerifiedUser proven(@Nullable StoredObject user, Credential credential) {
        if (user == null) {
            throw wrong();
        }
        if (!UserRepository.isActive(user)) {
            throw new ApiException(ErrorCode.BAD_CREDENTIALS, "The account is not active");
        }
        return new VerifiedUser(user, credential);
    }

    /**
     * Ensures that a user has the password. If the user has it already, nothing changes and
     * sessions remain valid.
     */
    public Future<Void> ensure(ObjectRef user, String password) {
        return credentialStore
                .find(user)
                .compose(known -> known.password()
                        .map(hash -> hasher.run(argon -> hash.matches(password, argon)))
                        .orElse(Future.succeededFuture(false)))
                .compose(same ->
                        same ? Future.succeededFuture() : set(user, password).mapEmpty());
    }

    /**
     * Sets a user's password without a check of the old one; tokens issued before become invalid.
     */
    public Future<Credential> set(ObjectRef user, String password) {
        return hash(password).compose(hash -> credentialStore.change(user, current -> current.with(hash)));
    }

    /** Sets the password of a user who has given the old one, which must still be current. */
    public Future<Credential> replace(VerifiedUser proven, String password) {
        return hash(password)
                .compose(hash -> credentialStore.change(
                        proven.user().ref(),
                        current -> current.require(proven.credential().hash()).with(hash)));
    }

    /** Removes the user's password, so that log-in by password fails; ends all sessions. */
    public Future<Credential> remove(ObjectRef user) {
        return credentialStore.change(user, Credential::withoutPassword);
    }

    /** Deletes the password of a user whose registration failed. */
    public Future<Void> delete(ObjectRef user) {
        return credentialStore.delete(user);
    }

    private Future<PasswordHash> hash(String password) {
        requirePassword(password);
        return hasher.hash(password);
    }

    /** Fails with {@code BAD_REQUEST} if the text cannot be a password. */
    public static void requirePassword(String text) {
        if (!isPassword(text)) {
            throw new ApiException(
                    ErrorCode.BAD_REQUEST, "A password has between 1 and " + MAX_LENGTH + " characters of text");
        }
    }

    /** Returns whether a text can be a password. */
    public static boolean isPassword(String text) {
        return !text.isEmpty() && mayBePassword(text);
    }

    private static boolean mayBePassword(String given) {
        return given.length() <= MAX_LENGTH && UserRepository.isText(given);
    }

    /** Returns whether the user has a password. */
    public Future<Boolean> isSet(ObjectRef user) {
        return credentialStore.find(user).map(known -> known.password().isPresent());
    }

    private static ApiException wrong() {
        return new ApiException(ErrorCode.BAD_CREDENTIALS, "User name or password is incorrect");
    }

    private record Attempt(String username, String password, ClientNetwork network) {}
}
