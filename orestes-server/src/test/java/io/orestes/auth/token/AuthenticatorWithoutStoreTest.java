package io.orestes.auth.token;

import static io.orestes.schema.TestSchemas.object;
import static io.orestes.store.Await.await;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.auth.password.CredentialStore;
import io.orestes.auth.rights.RightsChange;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.schema.EmptyStoreFixture;
import io.orestes.store.ManualClock;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * While the store is unavailable, known users stay valid unless the server received a notice to the
 * contrary.
 */
final class AuthenticatorWithoutStoreTest extends EmptyStoreFixture {

    private static final ObjectRef ANN = new ObjectRef("User", "ann");
    private static final ObjectRef TEAM = new ObjectRef("Role", "team");
    private static final Future<Void> AWAY =
            Future.failedFuture(new ApiException(ErrorCode.UNAVAILABLE, "The store is unavailable"));

    private final ManualClock clock = new ManualClock();
    private final TokenService tokens = new TokenService(new byte[32], Duration.ofDays(30), clock);
    private @Nullable Future<Void> away;
    private boolean hearsAll = true;
    private Authenticator authenticator;

    @BeforeEach
    void annIsKnown() {
        await(store.insert(ANN, object("{'username': 'ann'}")));
        await(store.insert(TEAM, object("{'users': ['/db/User/ann']}")));
        authenticator = new Authenticator(
                tokens,
                guarded(),
                () -> hearsAll,
                () -> TimeUnit.MILLISECONDS.toNanos(clock.instant().toEpochMilli()));
        assertThat(await(principal()).identities()).contains("/db/Role/team");
        clock.advance(1_001);
        away = AWAY;
    }

    @Test
    void principal_storeIsUnavailable_isTheKnownOne() {
        assertThat(await(principal()).identities()).contains("/db/Role/team", "/db/User/ann");
    }

    @Test
    void principal_storeIsUnavailableForLong_isUnavailable() {
        clock.advance(Authenticator.STALE_ROLE_TTL.toMillis());

        assertThat(failureOf(principal()).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    }

    @Test
    void principal_somethingWasWrittenThatConcernsTheUser_isUnavailable() {
        assertThat(await(principal()).identities()).isNotEmpty();

        authenticator.evict(RightsChange.of(ANN));

        assertThat(failureOf(principal()).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    }

    @Test
    void principal_somethingIsWrittenWhileItIsLookedUp_isUnavailable() {
        Promise<Void> failing = Promise.promise();
        away = failing.future();

        Future<Principal> asked = principal();
        authenticator.evict(RightsChange.of(ANN));
        failing.fail(AWAY.cause());

        assertThat(failureOf(asked).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    }

    /** Another program deactivated the user, and no notice of this arrived. */
    @Test
    void principal_wasFoundInactiveBefore_staysRefused() {
        away = null;
        await(store.replace(
                ANN, object("{'username': 'ann', 'inactive': true}"), Precondition.none(), Principal.SERVER));
        assertThat(failureOf(principal()).code()).isEqualTo(ErrorCode.BAD_CREDENTIALS);

        away = AWAY;

        assertThat(failureOf(principal()).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    }

    @Test
    void principal_serverDoesNotReceiveAllWrites_isUnavailable() {
        hearsAll = false;

        assertThat(failureOf(principal()).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    }

    @Test
    void principal_sessionFromBeforeARevocationThatWasSeen_staysWorthless() {
        away = null;
        ApiTokens apiTokens = new ApiTokens(
                store,
                new CredentialStore(store, user -> {
                    authenticator.evict(RightsChange.of(user));
                    return Future.succeededFuture();
                }),
                tokens);
        String header = "BAT " + tokens.issue(ANN);
        assertThat(await(authenticator.principal(header)).identities()).isNotEmpty();
        await(apiTokens.revoke(Caller.ANONYMOUS, ANN));
        clock.advance(1_001);
        away = AWAY;

        assertThat(failureOf(authenticator.principal(header)).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    }

    /** The first look-up has detected that the store is unavailable. */
    @Test
    void principal_storeWasUnavailableJustNow_doesNotWaitForIt() {
        assertThat(await(principal()).identities()).isNotEmpty();
        away = Promise.<Void>promise().future();

        assertThat(principal().isComplete()).isTrue();
        clock.advance(Authenticator.STORE_RETRY_DELAY.toMillis());
        assertThat(principal().isComplete()).isFalse();
    }

    @Test
    void principal_storeIsBack_isWhatItSays() {
        assertThat(await(principal()).identities()).contains("/db/Role/team");
        await(store.replace(TEAM, object("{'users': []}"), Precondition.none(), Principal.SERVER));
        away = null;

        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (await(principal()).identities().contains("/db/Role/team")) {
            assertThat(System.nanoTime()).as("looked up").isLessThan(end);
        }
    }

    @Test
    void principal_userIsDeletedInTheStore_isBadCredentials() {
        away = null;
        await(store.delete(ANN, Precondition.none(), Principal.SERVER));

        assertThat(failureOf(principal()).code()).isEqualTo(ErrorCode.BAD_CREDENTIALS);
    }

    private Future<Principal> principal() {
        return authenticator.principal(ANN);
    }

    /** Returns the store, with all calls delayed or failed while {@code away} is set. */
    private ObjectStore guarded() {
        return (ObjectStore) Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(),
                new Class<?>[] {ObjectStore.class},
                (proxy, method, arguments) -> away != null && Future.class.isAssignableFrom(method.getReturnType())
                        ? away.mapEmpty()
                        : method.invoke(store, arguments));
    }
}
