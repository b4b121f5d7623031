package io.orestes.auth.token;

import static io.orestes.schema.TestSchemas.object;
import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.auth.account.LoginService;
import io.orestes.auth.account.LoginService.NewPassword;
import io.orestes.auth.account.LoginService.PasswordChange;
import io.orestes.auth.limit.LoginThrottle;
import io.orestes.auth.limit.RateLimitConfig;
import io.orestes.auth.password.AuthConfig;
import io.orestes.auth.password.CredentialStore;
import io.orestes.auth.password.PasswordHashingPool;
import io.orestes.auth.password.PasswordService;
import io.orestes.auth.rights.RightsChange;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.schema.EmptyStoreFixture;
import io.orestes.store.ManualClock;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Revocation of tokens, and the rights of tokens other than those of log-ins. */
final class ApiTokensTest extends EmptyStoreFixture {

    private static final ObjectRef ANN = new ObjectRef("User", "ann");
    private static final ObjectRef TEAM = new ObjectRef("Role", "team");
    private static final ObjectRef OTHERS = new ObjectRef("Role", "others");
    private static final String HOME = "192.0.2.7";
    private static final Caller ADMIN = new Caller(Principal.SERVER);

    private final ManualClock clock = new ManualClock();
    private final TokenService tokens = new TokenService(new byte[32], Duration.ofDays(30), clock);
    private Authenticator authenticator;
    private PasswordService passwordService;
    private LoginService logins;
    private ApiTokens apiTokens;

    @BeforeEach
    void createAnn() {
        authenticator = new Authenticator(tokens, store);
        CredentialStore credentialStore = new CredentialStore(store, user -> {
            authenticator.evict(RightsChange.of(user));
            return Future.succeededFuture();
        });
        AuthConfig cheap = new AuthConfig(Duration.ofDays(30), 64, 1);
        passwordService = new PasswordService(
                store,
                credentialStore,
                vertx,
                new PasswordHashingPool(vertx, cheap, true),
                new LoginThrottle(clock, RateLimitConfig.DEFAULT));
        logins = new LoginService(store, passwordService, tokens);
        apiTokens = new ApiTokens(store, credentialStore, tokens);
        await(store.insert(ANN, object("{'username': 'ann'}")));
        await(store.insert(TEAM, object("{'users': ['/db/User/ann']}")));
        await(store.insert(OTHERS, object("{'users': ['/db/User/ann', '/db/User/bob']}")));
        await(passwordService.set(ANN, "old"));
    }

    @Test
    void changePassword_byItsUser_endsAllEarlierTokensAtOnce() {
        String first = logIn("old");
        String second = logIn("old");
        String endless = await(apiTokens.issueUnlimited(ANN));

        PasswordChange change = await(change(caller(first), "old", "new"));

        for (String earlier : List.of(first, second, endless)) {
            assertThat(failureOf(authenticator.principal(bearer(earlier))).code())
                    .isEqualTo(ErrorCode.BAD_CREDENTIALS);
        }
        assertThat(caller(change.token().orElseThrow()).session()).isPresent();
        assertThat(failureOf(logins.login("ann", "old", HOME)).code()).isEqualTo(ErrorCode.BAD_CREDENTIALS);
        assertThat(logIn("new")).isNotEmpty();
    }

    @Test
    void changePassword_wrongOldOne_changesNothingAndIsCounted() {
        String session = logIn("old");
        for (int i = 0; i < 5; i++) {
            assertThat(failureOf(change(caller(session), "guess", "new")).message())
                    .isEqualTo("User name or password is incorrect");
        }

        assertThat(failureOf(change(caller(session), "old", "new")).code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
        clock.advance(1000);

        assertThat(caller(session).session()).isPresent();
        assertThat(logIn("old")).isNotEmpty();
    }

    @Test
    void changePassword_byAdmin_needsNoOldOneAndHandsOutNoToken() {
        String session = logIn("old");

        PasswordChange change = await(change(ADMIN, "", "new"));

        assertThat(change.user().ref()).isEqualTo(ANN);
        assertThat(failureOf(authenticator.principal(bearer(session))).code()).isEqualTo(ErrorCode.BAD_CREDENTIALS);
        assertThat(failureOf(logins.changePassword(ADMIN, new NewPassword("nobody", "", "x"), HOME))
                        .code())
                .isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    }

    @Test
    void changePassword_manyAtOnceWithTheSameOldOne_oneSucceeds() {
        List<Future<PasswordChange>> changes = IntStream.range(0, 10)
                .mapToObj(i -> change(Caller.ANONYMOUS, "old", "new " + i))
                .toList();
        awaitAll(changes);

        assertThat(changes.stream().filter(Future::succeeded)).hasSize(1);
    }

    @Test
    void removePassword_ofASession_leavesNoWayInButItsNewToken() {
        Session session = caller(logIn("old")).session().orElseThrow();

        String token = await(logins.removePassword(session));

        assertThat(failureOf(logins.login("ann", "old", HOME)).code()).isEqualTo(ErrorCode.BAD_CREDENTIALS);
        assertThat(failureOf(logins.login("ann", "", HOME)).code()).isEqualTo(ErrorCode.BAD_CREDENTIALS);
        assertThat(failureOf(authenticator.caller(session)).code()).isEqualTo(ErrorCode.BAD_CREDENTIALS);
        assertThat(caller(token).principal().identities()).contains(ANN.id());
    }

    @Test
    void revoke_tokensOfAUser_keepsThePasswordAndOthers() {
        String session = logIn("old");
        String endless = await(apiTokens.issueUnlimited(ANN));

        assertThat(await(apiTokens.revoke(ADMIN, ANN))).isEmpty();

        assertThat(failureOf(authenticator.principal(bearer(session))).code()).isEqualTo(ErrorCode.BAD_CREDENTIALS);
        assertThat(failureOf(authenticator.principal(bearer(endless))).code()).isEqualTo(ErrorCode.BAD_CREDENTIALS);
        String again = logIn("old");
        assertThat(caller(await(apiTokens.revoke(caller(again), ANN)).orElseThrow())
                        .session())
                .isPresent();
    }

    @Test
    void revoke_manyAtOnce_allCount() {
        String token = logIn("old");

        awaitAll(IntStream.range(0, 20)
                .mapToObj(i -> apiTokens.revoke(ADMIN, ANN))
                .toList());

        assertThat(failureOf(authenticator.principal(bearer(token))).code()).isEqualTo(ErrorCode.BAD_CREDENTIALS);
        assertThat(await(store.find(new ObjectRef("_credentials", "ann")))
                        .orElseThrow()
                        .document()
                        .getInt64("revocations")
                        .getValue())
                .isEqualTo(20);
    }

    /** A role token is renewed like a session. */
    @Test
    void issueForRole_byATokenForAWhile_isRefused() {
        Caller forAWhile = caller(await(apiTokens.issueFor(Duration.ofMinutes(10), ANN)));
        Caller endless = caller(await(apiTokens.issueUnlimited(ANN)));

        assertThat(failureOf(apiTokens.issueForRole(forAWhile, TEAM)).code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(await(apiTokens.issueForRole(endless, TEAM))).isNotEmpty();
    }

    @Test
    void issueUnlimited_nobody_isNotFound() {
        ObjectRef nobody = new ObjectRef("User", "nobody");

        assertThat(failureOf(apiTokens.issueUnlimited(nobody)).code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
        assertThat(failureOf(apiTokens.issueFor(Duration.ofMinutes(1), nobody)).code())
                .isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
        assertThat(failureOf(apiTokens.revoke(ADMIN, nobody)).code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    }

    @Test
    void issueForRole_oneOfSeveralRoles_leavesThatOne() {
        Caller ann = caller(logIn("old"));

        Caller member = caller(await(apiTokens.issueForRole(ann, TEAM)));

        assertThat(member.principal().identities()).isEqualTo(Set.of(ANN.id(), "/db/Role/3", TEAM.id()));
        assertThat(failureOf(apiTokens.issueForRole(member, OTHERS)).code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
    }

    @Test
    void issueForRole_roleThatIsLostLater_leavesNone() {
        String token = await(apiTokens.issueForRole(caller(logIn("old")), TEAM));
        authenticator.evict(RightsChange.of(
                        await(store.replace(TEAM, object("{'users': []}"), Precondition.none(), Principal.SERVER)))
                .orElseThrow());

        assertThat(caller(token).principal().identities()).isEqualTo(Set.of(ANN.id(), "/db/Role/3"));
    }

    @Test
    void issueForRole_roleOfOthersOrHiddenOrMissing_isRefused() {
        Caller ann = caller(logIn("old"));
        await(store.insert(new ObjectRef("Role", "theirs"), object("{'users': []}")));
        await(store.insert(
                new ObjectRef("Role", "hidden"),
                object("{'users': [], 'acl': {'read': {'/db/User/bob': 'allow'}, 'write': {}}}")));

        assertThat(refusal(ann, "theirs")).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(refusal(ann, "hidden")).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
        assertThat(refusal(ann, "missing")).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
        assertThat(refusal(Caller.ANONYMOUS, "team")).isEqualTo(ErrorCode.PERMISSION_DENIED);
    }

    private ErrorCode refusal(Caller caller, String role) {
        return failureOf(apiTokens.issueForRole(caller, new ObjectRef("Role", role)))
                .code();
    }

    private Future<PasswordChange> change(Caller caller, String old, String next) {
        return logins.changePassword(caller, new NewPassword("ann", old, next), HOME);
    }

    private String logIn(String password) {
        return await(logins.login("ann", password, HOME)).token();
    }

    private Caller caller(String token) {
        return await(authenticator.caller(bearer(token)));
    }

    private static String bearer(String token) {
        return "BAT " + token;
    }
}
