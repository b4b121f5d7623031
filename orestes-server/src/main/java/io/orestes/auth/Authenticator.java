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
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * From the {@code Authorization} header to what the caller may do. Tokens are verified every time; the roles of a user are
 * kept for a second, and forgotten at once when {@link #forgetRoles} is told that this server wrote a role, a user or a credential.
 * Safe for all threads.
 */
public final class Authenticator {

    /** Longest time after which a role that another server changed counts here too. */
    static final Duration ROLES_KEPT = Duration.ofSeconds(1);

    private static final String SCHEME = "BAT ";
    private static final Future<Caller> ANONYMOUS = Future.succeededFuture(Caller.ANONYMOUS);

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
        this.credentials = new Credentials(store, user -> forgetRoles());
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
            return ANONYMOUS;
        }
        return session(authorization.get()).map(this::caller).orElseGet(() -> Future.failedFuture(invalid()));
    }

    /** Who sends a request: by its header, or else by its URL. Fails in the same way. */
    public Future<Caller> caller(HttpServerRequest request) {
        Optional<String> authorization = Optional.ofNullable(request.getHeader(HttpHeaders.AUTHORIZATION));
        return authorization.isPresent()
                ? caller(authorization)
                : SignedUrl.of(request).map(this::caller).orElse(ANONYMOUS);
    }

    private Future<Caller> caller(SignedUrl url) {
        return tokens.verify(url).map(this::caller).orElseGet(() -> Future.failedFuture(invalid()));
    }

    /** Who is behind a session by now; fails with {@code BAD_CREDENTIALS} if its token was revoked meanwhile. */
    public Future<Caller> caller(Session session) {
        return known(session.user())
                .compose(known -> known.mark.equals(session.mark())
                        ? Future.succeededFuture(new Caller(known.principal(session), Optional.of(session)))
                        : Future.failedFuture(invalid()));
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

    /** Must be called after every write to a role, a user or a credential, before the write is acknowledged. */
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
                        .map(credential -> new Known(principal(user, roles), tokens.mark(credential), started)))
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
     * @param mark of the credential that the user has
     * @param generation number of announced writes when the roles were read; good for nothing after the next one
     */
    private record Known(Principal principal, String mark, long generation) {

        /** What the user may do by that session: its one role counts only while the user has it. */
        private Principal principal(Session session) {
            return session.role()
                    .map(role -> principal.identities().contains(role.id())
                            ? Authenticator.principal(session.user(), Set.of(role.id()))
                            : Authenticator.principal(session.user(), Set.of()))
                    .orElse(principal);
        }
    }
}
