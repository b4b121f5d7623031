package io.orestes.auth.token;

import static io.orestes.schema.TestSchemas.object;
import static io.orestes.store.Await.await;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.auth.rights.RightsChange;
import io.orestes.auth.rights.UserRepository;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.model.WriteOutcome;
import io.orestes.schema.EmptyStoreFixture;
import io.orestes.store.Await;
import io.orestes.store.ManualClock;
import io.orestes.store.ObjectStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthenticatorTest extends EmptyStoreFixture {

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
                () -> true,
                () -> TimeUnit.MILLISECONDS.toNanos(clock.instant().toEpochMilli()));
    }

    @Test
    void caller_noHeader_isAnonymous() {
        assertThat(await(authenticator.caller((String) null))).isEqualTo(Caller.ANONYMOUS);
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
        assertThat(failureOf(authenticator.caller(header)).code()).isEqualTo(ErrorCode.BAD_CREDENTIALS);
    }

    @Test
    void caller_tokenWithoutScheme_isBadCredentials() {
        assertThat(failureOf(authenticator.caller(tokens.issue(ANN))).code()).isEqualTo(ErrorCode.BAD_CREDENTIALS);
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
    void evict_afterAWrite_countsAtOnce() {
        assertThat(principal().identities()).doesNotContain("/db/Role/team");
        written(await(store.insert(TEAM, object("{'users': ['/db/User/ann']}"))));

        assertThat(principal().identities()).contains("/db/Role/team");
    }

    @Test
    void evict_afterTheUserWasDeleted_endsItsSessions() {
        assertThat(principal().identities()).isNotEmpty();
        written(await(store.delete(ANN, Precondition.none(), Principal.SERVER)).orElseThrow());

        assertThat(failureOf(authenticator.principal("BAT " + tokens.issue(ANN)))
                        .code())
                .isEqualTo(ErrorCode.BAD_CREDENTIALS);
    }

    @Test
    void evict_whileRolesAreBeingRead_keepsNothingOfThem() {
        Promise<Void> read = Promise.promise();
        Promise<Void> gate = Promise.promise();
        Authenticator slow = new Authenticator(tokens, delayingQueries(read, gate.future()));
        String header = "BAT " + tokens.issue(ANN);

        Future<Principal> before = slow.principal(header);
        await(read.future());
        StoredObject team = await(store.insert(TEAM, object("{'users': ['/db/User/ann']}")));
        slow.evict(RightsChange.of(team).orElseThrow());
        gate.complete();

        assertThat(await(before).identities()).doesNotContain("/db/Role/team");
        assertThat(await(slow.principal(header)).identities()).contains("/db/Role/team");
    }

    @Test
    void evict_afterTheMemberWasRemovedOrTheRoleDeleted_countsAtOnce() {
        await(store.insert(TEAM, object("{'users': ['/db/User/ann']}")));
        assertThat(principal().identities()).contains("/db/Role/team");
        written(await(store.replace(TEAM, object("{'users': []}"), Precondition.none(), Principal.SERVER)));
        assertThat(principal().identities()).doesNotContain("/db/Role/team");

        written(await(
                store.replace(TEAM, object("{'users': ['/db/User/ann']}"), Precondition.none(), Principal.SERVER)));
        assertThat(principal().identities()).contains("/db/Role/team");
        written(await(store.delete(TEAM, Precondition.none(), Principal.SERVER)).orElseThrow());
        assertThat(principal().identities()).doesNotContain("/db/Role/team");
    }

    @Test
    void evict_ofARoleOfOthers_causesNoLookUp() {
        AtomicInteger lookUps = new AtomicInteger();
        Authenticator counted = new Authenticator(tokens, countingQueries(lookUps));
        assertThat(await(counted.principal(ANN)).identities()).isNotEmpty();

        for (int i = 0; i < 100; i++) {
            counted.evict(new RightsChange(new ObjectRef("Role", "r" + i), Set.of("/db/User/bob", "/db/User/cy" + i)));
            assertThat(await(counted.principal(ANN)).identities()).isNotEmpty();
        }

        assertThat(lookUps).hasValue(1);
        counted.evictAll();
        assertThat(await(counted.principal(ANN)).identities()).isNotEmpty();
        assertThat(lookUps).hasValue(2);
    }

    /** The bound holds for any number of written roles and of callers meanwhile. */
    @Test
    void lookUps_ofOneUserWhileRolesAreWritten_areOneUnderWayAndOneMore() {
        AtomicInteger lookUps = new AtomicInteger();
        Promise<Void> read = Promise.promise();
        Promise<Void> gate = Promise.promise();
        ObjectStore slow = delayingQueries(countingQueries(lookUps), read, gate.future());
        Authenticator counted = new Authenticator(tokens, slow);
        List<Future<Principal>> asked = new ArrayList<>();

        asked.add(counted.principal(ANN));
        asked.add(counted.principal(ANN));
        await(read.future());
        for (int i = 0; i < 500; i++) {
            ObjectRef role = new ObjectRef("Role", "r" + i);
            StoredObject written = await(store.insert(role, object("{'users': ['/db/User/ann']}")));
            counted.evict(RightsChange.of(written).orElseThrow());
            asked.add(counted.principal(ANN));
        }
        gate.complete();

        assertThat(await(asked.get(1)).identities()).doesNotContain("/db/Role/r0");
        asked.subList(2, asked.size())
                .forEach(each -> assertThat(await(each).identities()).contains("/db/Role/r0", "/db/Role/r499"));
        assertThat(lookUps).hasValue(2);
    }

    /** A user whom others put into thousands of roles keeps the earlier ones. */
    @Test
    void principal_inMoreRolesThanCount_hasTheOldest() {
        await(store.insert(TEAM, object("{'users': ['/db/User/ann', '/db/User/bob']}")));
        List<Future<StoredObject>> roles = IntStream.range(0, UserRepository.MAX_ROLES + 200)
                .mapToObj(i -> store.insert(new ObjectRef("Role", "z" + i), object("{'users': ['/db/User/ann']}")))
                .toList();
        roles.forEach(Await::await);

        Set<String> identities = principal().identities();

        assertThat(identities)
                .contains("/db/Role/team", Principal.UNCOUNTED_ROLES)
                .hasSize(UserRepository.MAX_ROLES + 3);
        written(roles.get(0).result());
        assertThat(principal().identities()).isEqualTo(identities);
    }

    private void written(WriteOutcome writeOutcome) {
        authenticator.evict(RightsChange.of(writeOutcome).orElseThrow());
    }

    private ObjectStore countingQueries(AtomicInteger count) {
        return intercepted(store, found -> {
            count.incrementAndGet();
            return found;
        });
    }

    /** Returns the store, with results of queries delayed until the gate opens. */
    private ObjectStore delayingQueries(Promise<Void> read, Future<Void> gate) {
        return delayingQueries(store, read, gate);
    }

    private static ObjectStore delayingQueries(ObjectStore store, Promise<Void> read, Future<Void> gate) {
        return intercepted(
                store, queried -> queried.onSuccess(found -> read.tryComplete()).compose(found -> gate.map(found)));
    }

    private static ObjectStore intercepted(ObjectStore store, UnaryOperator<Future<?>> queries) {
        return (ObjectStore) Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(), new Class<?>[] {ObjectStore.class}, (proxy, method, arguments) -> {
                    Future<?> result = (Future<?>) method.invoke(store, arguments);
                    return method.getName().equals("query") ? queries.apply(result) : result;
                });
    }

    private Principal principal() {
        return await(authenticator.principal("BAT " + tokens.issue(ANN)));
    }
}
