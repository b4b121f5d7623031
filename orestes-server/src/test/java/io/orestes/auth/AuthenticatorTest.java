package io.orestes.auth;

import static io.orestes.schema.Schemas.object;
import static io.orestes.store.Await.await;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.schema.WithStore;
import io.orestes.store.ManualClock;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthenticatorTest extends WithStore {

    private static final ObjectRef ANN = new ObjectRef("User", "ann");
    private static final ObjectRef TEAM = new ObjectRef("Role", "team");

    private final ManualClock clock = new ManualClock();
    private final TokenService tokens = new TokenService(new byte[32], Duration.ofDays(30), clock);
    private Authenticator authenticator;

    @BeforeEach
    void createAnn() {
        await(store.insert(ANN, object("{'username': 'ann'}")));
        authenticator = new Authenticator(
                tokens,
                store,
                () -> TimeUnit.MILLISECONDS.toNanos(clock.instant().toEpochMilli()));
    }

    @Test
    void caller_noHeader_isAnonymous() {
        assertThat(await(authenticator.caller(Optional.empty()))).isEqualTo(Caller.ANONYMOUS);
    }

    @Test
    void principal_validToken_hasUserAndRoles() {
        await(store.insert(TEAM, object("{'users': ['/db/User/bob', '/db/User/ann']}")));
        await(store.insert(new ObjectRef("Role", "other"), object("{'users': ['/db/User/bob']}")));
        await(store.insert(new ObjectRef("Role", "broken"), object("{'users': null}")));

        Principal principal = principal();

        assertThat(principal.identities()).containsExactlyInAnyOrder("/db/User/ann", "/db/Role/team", "/db/Role/3");
        assertThat(principal.isAdmin()).isFalse();
    }

    @Test
    void principal_memberOfTheAdminRole_isAdmin() {
        await(store.insert(new ObjectRef("Role", "1"), object("{'users': ['/db/User/ann']}")));

        assertThat(principal().isAdmin()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "BAT", "BAT ", "BAT x", "Bearer x", "Basic cm9vdDpyb290", "BAT \0"})
    void caller_headerThatIsNoToken_isBadCredentials(String header) {
        assertThat(failureOf(authenticator.caller(Optional.of(header))).code()).isEqualTo(ErrorCode.BAD_CREDENTIALS);
    }

    @Test
    void caller_tokenWithoutScheme_isBadCredentials() {
        assertThat(failureOf(authenticator.caller(Optional.of(tokens.issue(ANN))))
                        .code())
                .isEqualTo(ErrorCode.BAD_CREDENTIALS);
    }

    @Test
    void caller_deletedOrInactiveUser_isBadCredentials() {
        ObjectRef gone = new ObjectRef("User", "gone");
        ObjectRef inactive = new ObjectRef("User", "inactive");
        await(store.insert(inactive, object("{'inactive': true}")));

        assertThat(failureOf(authenticator.principal(gone)).code()).isEqualTo(ErrorCode.BAD_CREDENTIALS);
        assertThat(failureOf(authenticator.principal(inactive)).code()).isEqualTo(ErrorCode.BAD_CREDENTIALS);
    }

    @Test
    void principal_roleChangedElsewhere_countsAfterASecond() {
        assertThat(principal().identities()).doesNotContain("/db/Role/team");
        await(store.insert(TEAM, object("{'users': ['/db/User/ann']}")));

        assertThat(principal().identities()).doesNotContain("/db/Role/team");
        clock.advance(1001);

        assertThat(principal().identities()).contains("/db/Role/team");
    }

    @Test
    void forgetRoles_afterAWrite_countsAtOnce() {
        assertThat(principal().identities()).doesNotContain("/db/Role/team");
        await(store.insert(TEAM, object("{'users': ['/db/User/ann']}")));

        authenticator.forgetRoles();

        assertThat(principal().identities()).contains("/db/Role/team");
    }

    @Test
    void forgetRoles_afterTheUserWasDeleted_endsItsSessions() {
        assertThat(principal().identities()).isNotEmpty();
        await(store.delete(ANN, Precondition.none(), Principal.SERVER));

        authenticator.forgetRoles();

        assertThat(failureOf(authenticator.principal(Optional.of("BAT " + tokens.issue(ANN))))
                        .code())
                .isEqualTo(ErrorCode.BAD_CREDENTIALS);
    }

    @Test
    void forgetRoles_whileRolesAreBeingRead_keepsNothingOfThem() {
        Promise<Void> read = Promise.promise();
        Promise<Void> gate = Promise.promise();
        Authenticator slow = new Authenticator(tokens, delayingQueries(read, gate.future()));
        Optional<String> header = Optional.of("BAT " + tokens.issue(ANN));

        Future<Principal> before = slow.principal(header);
        await(read.future());
        await(store.insert(TEAM, object("{'users': ['/db/User/ann']}")));
        slow.forgetRoles();
        gate.complete();

        assertThat(await(before).identities()).doesNotContain("/db/Role/team");
        assertThat(await(slow.principal(header)).identities()).contains("/db/Role/team");
    }

    /** The store, but results of queries wait for the gate. */
    private ObjectStore delayingQueries(Promise<Void> read, Future<Void> gate) {
        return (ObjectStore) Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(), new Class<?>[] {ObjectStore.class}, (proxy, method, arguments) -> {
                    Future<?> result = (Future<?>) method.invoke(store, arguments);
                    return method.getName().equals("query")
                            ? result.onSuccess(found -> read.tryComplete()).compose(found -> gate.map(found))
                            : result;
                });
    }

    private Principal principal() {
        return await(authenticator.principal(Optional.of("BAT " + tokens.issue(ANN))));
    }
}
