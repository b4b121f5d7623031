package io.orestes.auth.token;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.orestes.async.SingleFlight;
import io.orestes.auth.password.CredentialStore;
import io.orestes.auth.rights.RightsChange;
import io.orestes.auth.rights.UserRepository;
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
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The authenticator of requests, from the {@code Authorization} header to a principal with cached
 * roles. Every request's token is verified. The roles of a user are cached for a second, and {@link
 * #evict} evicts them immediately after a write that concerns that user. While the store is
 * unavailable, its last answer remains valid for some minutes, so that cached copies stay readable.
 * Look-ups of one user are shared: at most one runs, and one more waits for its end. Safe for all
 * threads.
 */
public final class Authenticator {

    /** Time after which a role change by another server takes effect here, at most. */
    static final Duration ROLE_TTL = Duration.ofSeconds(1);

    /** Time for which cached roles remain valid while the store is unavailable. */
    static final Duration STALE_ROLE_TTL = Duration.ofMinutes(5);

    /**
     * Time after a failed store request during which requests use cached roles without waiting for
     * the store.
     */
    static final Duration STORE_RETRY_DELAY = Duration.ofSeconds(30);

    private static final String SCHEME = "BAT ";
    private static final Future<Caller> ANONYMOUS = Future.succeededFuture(Caller.ANONYMOUS);

    private final TokenService tokens;
    private final UserRepository userRepository;
    private final CredentialStore credentialStore;
    private final BooleanSupplier receivesAllWrites;
    private final Ticker ticker;
    private final Cache<ObjectRef, CachedPrincipal> principals;
    private final RightsVersions writes = new RightsVersions();
    private volatile @Nullable Long storeUnavailableSince;
    private final SingleFlight<ObjectRef, CachedPrincipal> lookUps = new SingleFlight<>(writes::now);

    /** Creates an authenticator that is notified of all writes. */
    public Authenticator(TokenService tokens, ObjectStore store) {
        this(tokens, store, () -> true);
    }

    /**
     * @param hearsAll true while {@link #evict} is called for all writes, whichever server makes
     *     them
     */
    public Authenticator(TokenService tokens, ObjectStore store, BooleanSupplier hearsAll) {
        this(tokens, store, hearsAll, Ticker.systemTicker());
    }

    Authenticator(TokenService tokens, ObjectStore store, BooleanSupplier hearsAll, Ticker ticker) {
        this.tokens = tokens;
        this.userRepository = new UserRepository(store);
        this.receivesAllWrites = hearsAll;
        this.ticker = ticker;
        this.credentialStore = new CredentialStore(store, user -> {
            evict(RightsChange.of(user));
            return Future.succeededFuture();
        });
        this.principals = Caffeine.newBuilder()
                .expireAfterWrite(STALE_ROLE_TTL)
                .ticker(ticker)
                .maximumSize(100_000)
                .build();
    }

    /**
     * Returns the sender of a request. Fails with {@code BAD_CREDENTIALS} if the header is there
     * but its token is invalid or expired, or its user deleted or inactive; connect, me, log-in,
     * register and log-out treat that as anonymous (protocol §5.3).
     *
     * @param authorization value of the header; {@code null} if it is not there
     */
    public Future<Caller> caller(@Nullable String authorization) {
        if (authorization == null) {
            return ANONYMOUS;
        }
        return session(authorization).map(this::caller).orElseGet(() -> Future.failedFuture(invalid()));
    }

    /**
     * Returns the sender of a request, by its header, or else by its URL. Fails as {@link
     * #caller(String)} does.
     */
    public Future<Caller> caller(HttpServerRequest request) {
        String authorization = request.getHeader(HttpHeaders.AUTHORIZATION);
        return authorization != null
                ? caller(authorization)
                : SignedUrl.of(request).map(this::caller).orElse(ANONYMOUS);
    }

    private Future<Caller> caller(SignedUrl url) {
        return tokens.verify(url).map(this::caller).orElseGet(() -> Future.failedFuture(invalid()));
    }

    /**
     * Returns the current caller of a session; fails with {@code BAD_CREDENTIALS} if its token was
     * revoked meanwhile.
     */
    public Future<Caller> caller(Session session) {
        return known(session.user())
                .compose(known -> known.mark.equals(session.fingerprint())
                        ? Future.succeededFuture(new Caller(known.principal(session), session))
                        : Future.failedFuture(invalid()));
    }

    /** Returns the principal of {@code caller}. */
    public Future<Principal> principal(@Nullable String authorization) {
        return caller(authorization).map(Caller::principal);
    }

    /**
     * Evicts the roles that a write to a role, user or credential may change. To be called before
     * the write is acknowledged.
     */
    public void evict(RightsChange change) {
        writes.recordChanges(change.ids());
    }

    /** Evicts all cached roles. */
    public void evictAll() {
        writes.recordChangeOfAll();
    }

    /**
     * Returns the principal of a user with its current roles; fails with {@code BAD_CREDENTIALS} if
     * the user is deleted or inactive.
     */
    public Future<Principal> principal(ObjectRef user) {
        return known(user).map(CachedPrincipal::principal);
    }

    private Future<CachedPrincipal> known(ObjectRef user) {
        CachedPrincipal known = principals.getIfPresent(user);
        if (known == null || !isCurrent(known)) {
            return lookUp(user);
        }
        if (ticker.read() - known.atNanos < ROLE_TTL.toNanos()) {
            return Future.succeededFuture(known);
        }
        if (isStoreUnavailable() && receivesAllWrites.getAsBoolean()) {
            var unusedUntilTheNextTime = lookUp(user);
            return Future.succeededFuture(known);
        }
        return lookUp(user)
                .recover(failure -> isUnavailable(failure) && isCurrent(known) && receivesAllWrites.getAsBoolean()
                        ? Future.succeededFuture(known)
                        : Future.failedFuture(failure));
    }

    /** Returns whether no write since the read concerns the user. */
    private boolean isCurrent(CachedPrincipal known) {
        return writes.isUnchangedSince(known.asOf, known.principal.identities());
    }

    private boolean isStoreUnavailable() {
        Long since = storeUnavailableSince;
        return since != null && ticker.read() - since < STORE_RETRY_DELAY.toNanos();
    }

    private static boolean isUnavailable(Throwable failure) {
        return ApiException.of(failure).code() == ErrorCode.UNAVAILABLE;
    }

    private Future<CachedPrincipal> lookUp(ObjectRef user) {
        return lookUps.load(user, asOf -> load(user, asOf));
    }

    private Future<CachedPrincipal> load(ObjectRef user, long asOf) {
        return userRepository
                .active(user)
                .compose(found -> found.isPresent() ? userRepository.rolesOf(user) : Future.failedFuture(invalid()))
                .compose(roles -> credentialStore
                        .find(user)
                        .map(credential -> new CachedPrincipal(
                                principal(user, roles), tokens.fingerprint(credential), asOf, ticker.read())))
                .onSuccess(known -> principals.put(user, known))
                .onFailure(failure -> evictUnlessUnavailable(user, failure))
                .onComplete(looked -> storeUnavailableSince =
                        looked.failed() && isUnavailable(looked.cause()) ? (Long) ticker.read() : null);
    }

    /**
     * Evicts the cached roles of a refused user, so that they do not apply if the store becomes
     * unavailable next.
     */
    private void evictUnlessUnavailable(ObjectRef user, Throwable failure) {
        if (!isUnavailable(failure)) {
            principals.invalidate(user);
        }
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
     * @param mark mark of the user's credential
     * @param asOf logical time of the read; a later write of the user or one of its roles
     *     invalidates the entry
     * @param atNanos time of the read in ns
     */
    private record CachedPrincipal(Principal principal, String mark, long asOf, long atNanos) {

        /** Returns the principal of a session: its one role counts only while the user has it. */
        private Principal principal(Session session) {
            return session.role()
                    .map(role -> principal.identities().contains(role.id())
                            ? Authenticator.principal(session.user(), Set.of(role.id()))
                            : Authenticator.principal(session.user(), Set.of()))
                    .orElse(principal);
        }
    }
}
