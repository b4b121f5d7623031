package io.orestes.auth;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Principal;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * From the {@code Authorization} header to what the caller may do. Tokens are verified every time; the roles of a user are
 * kept for a second, and forgotten at once when {@link #forgetRoles} is told of a write to a role or user of this server.
 * Safe for all threads.
 */
public final class Authenticator {

    /** Longest time after which a role that another server changed counts here too. */
    static final Duration ROLES_KEPT = Duration.ofSeconds(1);

    private static final String SCHEME = "BAT ";

    private final TokenService tokens;
    private final Users users;
    private final Credentials credentials;
    private final Cache<ObjectRef, Known> principals;
    private final AtomicLong generation = new AtomicLong();

    public Authenticator(TokenService tokens, ObjectStore store) {
        this(tokens, store, Ticker.systemTicker());
    }

    Authenticator(TokenService tokens, ObjectStore store, Ticker ticker) {
        this.tokens = tokens;
        this.users = new Users(store);
        this.credentials = new Credentials(store);
        this.principals = Caffeine.newBuilder()
                .expireAfterWrite(ROLES_KEPT)
                .ticker(ticker)
                .maximumSize(100_000)
                .build();
    }

    /**
     * Who is calling. Fails with {@code BAD_CREDENTIALS} if the header is there but its token is invalid or expired, or its
     * user deleted or inactive; connect, me, log-in, register and log-out take that for anonymous (protocol §5.3).
     */
    public Future<Caller> caller(Optional<String> authorization) {
        if (authorization.isEmpty()) {
            return Future.succeededFuture(Caller.ANONYMOUS);
        }
        return session(authorization.get()).map(this::caller).orElseGet(() -> Future.failedFuture(invalid()));
    }

    /** The principal of {@code caller}. */
    public Future<Principal> principal(Optional<String> authorization) {
        return caller(authorization).map(Caller::principal);
    }

    /** Whether an object says something about somebody's rights: a role or a user. */
    public static boolean dependsOn(ObjectRef ref) {
        return isRole(ref) || ref.bucket().equals(Users.BUCKET);
    }

    /** Whether an object is a role. */
    public static boolean isRole(ObjectRef ref) {
        return ref.bucket().equals(Users.ROLE_BUCKET);
    }

    /** Must be called after every write to a role or a user, before the write is acknowledged. */
    public void forgetRoles() {
        generation.incrementAndGet();
    }

    /** Ids of the declared members of a role; none if it does not exist. */
    public Future<Set<String>> members(ObjectRef role) {
        return users.membersOf(role);
    }

    /** What a user may do now; fails with {@code BAD_CREDENTIALS} if the user is deleted or inactive. */
    public Future<Principal> principal(ObjectRef user) {
        return known(user).map(Known::principal);
    }

    private Future<Caller> caller(Session session) {
        return known(session.user())
                .compose(known -> known.mark.equals(session.mark())
                        ? Future.succeededFuture(new Caller(known.principal, Optional.of(session)))
                        : Future.failedFuture(invalid()));
    }

    private Future<Known> known(ObjectRef user) {
        Known known = principals.getIfPresent(user);
        return known != null && known.generation == generation.get() ? Future.succeededFuture(known) : load(user);
    }

    private Future<Known> load(ObjectRef user) {
        long started = generation.get();
        return users.active(user)
                .compose(found -> found.isPresent() ? users.rolesOf(user) : Future.failedFuture(invalid()))
                .compose(roles -> credentials
                        .find(user)
                        .map(password -> new Known(principal(user, roles), tokens.mark(password), started)))
                .onSuccess(known -> principals.put(user, known));
    }

    private Optional<Session> session(String authorization) {
        return authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? tokens.verify(authorization.substring(SCHEME.length()).strip())
                : Optional.empty();
    }

    private static Principal principal(ObjectRef user, Set<String> roles) {
        Set<String> identities = new HashSet<>(roles);
        identities.add(user.id());
        identities.add(Principal.LOGGED_IN_ROLE);
        return new Principal(identities, roles.contains(Principal.ADMIN_ROLE));
    }

    private static ApiException invalid() {
        return new ApiException(ErrorCode.BAD_CREDENTIALS, "The token is invalid or has expired");
    }

    /**
     * @param mark of the password that the user has
     * @param generation number of announced writes when the roles were read; good for nothing after the next one
     */
    private record Known(Principal principal, String mark, long generation) {}
}
