package io.orestes.auth.account;

import static io.orestes.schema.TestSchemas.object;
import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static io.orestes.store.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.auth.limit.LoginThrottle;
import io.orestes.auth.limit.RateLimitConfig;
import io.orestes.auth.password.AuthConfig;
import io.orestes.auth.password.CredentialStore;
import io.orestes.auth.password.PasswordHashingPool;
import io.orestes.auth.password.PasswordService;
import io.orestes.auth.rights.AdminInvariant;
import io.orestes.auth.rights.UserRepository;
import io.orestes.auth.token.Authenticator;
import io.orestes.auth.token.Session;
import io.orestes.auth.token.TokenService;
import io.orestes.auth.token.TokenSigningSecret;
import io.orestes.model.ApiException;
import io.orestes.model.ErrorCode;
import io.orestes.model.ObjectRef;
import io.orestes.model.Precondition;
import io.orestes.model.Principal;
import io.orestes.model.StoredObject;
import io.orestes.schema.ClassIndexService;
import io.orestes.schema.EmptyStoreFixture;
import io.orestes.store.ManualClock;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BuiltInAccountsTest extends EmptyStoreFixture {

    private static final AuthConfig CHEAP = new AuthConfig(Duration.ofDays(30), 64, 1);
    private static final ObjectRef ADMIN = new ObjectRef("Role", "1");
    private static final Precondition ANYHOW = Precondition.none();
    private static final String HOME = "192.0.2.7";
    private static final String ELSEWHERE = "198.51.100.9";
    private static final String WRONG = "User name or password is incorrect";

    private final ManualClock clock = new ManualClock();
    private final TokenService tokens = new TokenService(new byte[32], Duration.ofDays(30), clock);
    private LoginService logins;
    private BuiltInAccounts root;

    @BeforeEach
    void startServer() {
        PasswordService passwordService = new PasswordService(
                store,
                new CredentialStore(store, user -> Future.succeededFuture()),
                vertx,
                new PasswordHashingPool(vertx, CHEAP, true),
                new LoginThrottle(clock, RateLimitConfig.DEFAULT));
        logins = new LoginService(store, passwordService, tokens);
        root = new BuiltInAccounts(store, passwordService);
    }

    @Test
    void bootstrap_emptyStore_createsRootAndRoles() {
        assertThat(await(root.bootstrap("secret"))).isEmpty();

        Authenticator authenticator = new Authenticator(tokens, store);
        assertThat(await(authenticator.principal(AdminInvariant.ROOT)).isAdmin())
                .isTrue();
        for (String role : List.of("1", "2", "3")) {
            StoredObject object = await(store.find(new ObjectRef("Role", role))).orElseThrow();
            assertThat(object.acl().write().permits(new Principal(Set.of("/db/User/2"), false)))
                    .isFalse();
        }
    }

    @Test
    void bootstrap_again_keepsObjectsAndChangesThePassword() {
        await(root.bootstrap("old"));
        await(store.replace(
                AdminInvariant.ROOT,
                object("{'username': 'root', 'nick': 'r'}"),
                Precondition.none(),
                Principal.SERVER));

        await(root.bootstrap("new"));

        assertThat(await(logins.login("root", "new", HOME)).user().document()).containsKey("nick");
        assertThat(failureOf(logins.login("root", "old", HOME)).message()).isEqualTo(WRONG);
    }

    @Test
    void bootstrap_rolesOfAnEarlierVersion_areFoundByAnIndexFromNowOn() {
        await(store.insert(new ObjectRef("Role", "team"), object("{'users': ['/db/User/ann', '/db/User/1']}")));
        assertThat(await(store.indexes("Role"))).isEmpty();

        await(root.bootstrap("secret"));
        await(root.bootstrap(null));

        assertThat(await(store.indexes("Role"))).containsExactly(ClassIndexService.ROLE_MEMBERS);
        assertThat(await(new Authenticator(tokens, store).principal(AdminInvariant.ROOT))
                        .identities())
                .contains("/db/Role/team", "/db/Role/1");
    }

    @Test
    void bootstrap_noActiveMemberOfTheRoleAdmin_makesRootOneAgain() {
        await(root.bootstrap("secret"));
        await(store.replace(ADMIN, object("{'name': 'admin', 'users': ['/db/User/gone']}"), ANYHOW, Principal.SERVER));
        await(store.replace(
                AdminInvariant.ROOT, object("{'username': 'root', 'inactive': true}"), ANYHOW, Principal.SERVER));

        await(root.bootstrap(null));

        assertThat(await(new Authenticator(tokens, store).principal(AdminInvariant.ROOT))
                        .isAdmin())
                .isTrue();
        assertThat(await(logins.login("root", "secret", HOME)).token()).isNotEmpty();
        assertThat(UserRepository.members(await(store.find(ADMIN)).orElseThrow().document()))
                .containsExactlyInAnyOrder("/db/User/gone", "/db/User/1");
    }

    @Test
    void bootstrap_anotherAdmin_leavesRootAsItIs() {
        await(root.bootstrap("secret"));
        ObjectRef ann = new ObjectRef("User", "ann");
        await(store.insert(ann, object("{'username': 'ann', 'inactive': false}")));
        await(store.replace(ADMIN, object("{'name': 'admin', 'users': ['/db/User/ann']}"), ANYHOW, Principal.SERVER));

        await(root.bootstrap(null));

        assertThat(await(new Authenticator(tokens, store).principal(AdminInvariant.ROOT))
                        .isAdmin())
                .isFalse();
    }

    @Test
    void bootstrap_withoutPassword_keepsTheOneThatIsSet() {
        await(root.bootstrap("secret"));

        assertThat(await(root.bootstrap(null))).isEmpty();

        assertThat(await(logins.login("root", "secret", HOME)).user().ref()).isEqualTo(AdminInvariant.ROOT);
    }

    @Test
    void bootstrap_withoutAnyPassword_leavesRootToTheSetupToken() {
        String setup = await(root.bootstrap(null)).orElseThrow();
        assertThat(failureOf(logins.login("root", "root", HOME)).message()).isEqualTo(WRONG);
        assertThat(failureOf(logins.login("root", "", HOME)).message()).isEqualTo(WRONG);

        assertThat(failureOf(root.setRootPassword("x" + setup, "mine")).code()).isEqualTo(ErrorCode.BAD_CREDENTIALS);
        assertThat(failureOf(root.setRootPassword(setup, "")).code()).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(failureOf(root.setRootPassword(setup, "x".repeat(1025))).code())
                .isEqualTo(ErrorCode.BAD_REQUEST);
        await(root.setRootPassword(setup, "mine"));

        assertThat(failureOf(root.setRootPassword(setup, "yours")).code()).isEqualTo(ErrorCode.BAD_CREDENTIALS);
        assertThat(await(logins.login("root", "mine", HOME)).token()).isNotEmpty();
    }

    @Test
    void setRootPassword_manyAtOnce_oneSucceeds() {
        String setup = await(root.bootstrap(null)).orElseThrow();

        List<Future<Void>> claims = IntStream.range(0, 10)
                .mapToObj(i -> root.setRootPassword(setup, "password " + i))
                .toList();
        awaitAll(claims);

        assertThat(claims.stream().filter(Future::succeeded)).hasSize(1);
    }

    @Test
    void login_rightPassword_opensASession() {
        await(root.bootstrap("pässwörd 😀"));

        OpenedSession openedSession = await(logins.login("root", "pässwörd 😀", HOME));

        assertThat(tokens.verify(openedSession.token()))
                .get()
                .extracting(Session::user)
                .isEqualTo(AdminInvariant.ROOT);
        assertThat(openedSession.user().document().toJson()).doesNotContain("argon2");
    }

    @Test
    void login_wrongPasswordAndUnknownUser_failInTheSameWords() {
        await(root.bootstrap("secret"));

        for (String[] attempt : new String[][] {
            {"root", "Secret"},
            {"root", ""},
            {"nobody", "secret"},
            {"", ""},
            {"Root", "secret"},
            {"x".repeat(2000), "y"}
        }) {
            ApiException failure = failureOf(logins.login(attempt[0], attempt[1], HOME));
            assertThat(failure.code()).isEqualTo(ErrorCode.BAD_CREDENTIALS);
            assertThat(failure.message()).isEqualTo(WRONG);
        }
    }

    @Test
    void login_inactiveAccount_isReported() {
        await(root.bootstrap("secret"));
        await(store.replace(
                AdminInvariant.ROOT,
                object("{'username': 'root', 'inactive': true}"),
                Precondition.none(),
                Principal.SERVER));

        assertThat(failureOf(logins.login("root", "secret", HOME)).message()).isEqualTo("The account is not active");
    }

    @Test
    void login_manyFailures_areSlowedDownForAWhile() {
        await(root.bootstrap("secret"));
        for (int i = 0; i < 5; i++) {
            assertThat(failureOf(logins.login("root", "guess", HOME)).code()).isEqualTo(ErrorCode.BAD_CREDENTIALS);
        }

        assertThat(failureOf(logins.login("root", "secret", HOME)).code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
        clock.advance(1000);

        assertThat(await(logins.login("root", "secret", HOME)).token()).isNotEmpty();
        assertThat(failureOf(logins.login("root", "guess", HOME)).code()).isEqualTo(ErrorCode.BAD_CREDENTIALS);
    }

    @Test
    void login_manyFailuresElsewhere_doNotDelayTheOwner() {
        await(root.bootstrap("secret"));
        for (int i = 0; i < 60; i++) {
            awaitAll(List.of(logins.login("root", "guess", ELSEWHERE)));
        }

        assertThat(failureOf(logins.login("root", "secret", ELSEWHERE)).code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
        assertThat(await(logins.login("root", "secret", HOME)).token()).isNotEmpty();
    }

    @Test
    void bootstrap_samePasswordAgain_keepsSessionsAndAnotherOneEndsThem() {
        await(root.bootstrap("secret"));
        String session = "BAT " + await(logins.login("root", "secret", HOME)).token();

        await(root.bootstrap("secret"));
        assertThat(await(new Authenticator(tokens, store).principal(session)).isAdmin())
                .isTrue();

        await(root.bootstrap("another"));
        Authenticator restarted = new Authenticator(tokens, store);
        assertThat(failureOf(restarted.principal(session)).code()).isEqualTo(ErrorCode.BAD_CREDENTIALS);
        assertThat(await(new SessionRenewalService(tokens, store).resume(restarted.caller(session))))
                .isEmpty();
        String renewed = await(logins.login("root", "another", HOME)).token();
        assertThat(await(restarted.principal("BAT " + renewed)).isAdmin()).isTrue();
    }

    @Test
    void login_manyGuessesAtOnce_asManyAreCheckedAsOneAfterTheOther() {
        await(root.bootstrap("secret"));

        assertThat(checked(60)).isEqualTo(5);
        clock.advance(1_000);
        assertThat(checked(60)).isEqualTo(1);
        clock.advance(2_000);
        assertThat(checked(60)).isEqualTo(1);
    }

    /**
     * Returns the number of guesses that reach the password, out of {@code number} concurrent ones.
     */
    private long checked(int number) {
        List<Future<OpenedSession>> guesses = IntStream.range(0, number)
                .mapToObj(i -> logins.login("root", "guess " + i, HOME))
                .toList();
        awaitAll(guesses);
        return guesses.stream()
                .filter(guess -> failureOf(guess).code() == ErrorCode.BAD_CREDENTIALS)
                .count();
    }

    @Test
    void login_manyTimesAtOnceByTheOwner_allSucceed() {
        await(root.bootstrap("secret"));

        List<Future<OpenedSession>> tabs = IntStream.range(0, 20)
                .mapToObj(i -> logins.login("root", "secret", HOME))
                .toList();
        awaitAll(tabs);

        assertThat(tabs).allMatch(Future::succeeded);
    }

    @Test
    void secret_secondServer_usesTheSame() {
        byte[] first = await(TokenSigningSecret.of(store));

        assertThat(first).hasSize(32);
        assertThat(await(TokenSigningSecret.of(store))).isEqualTo(first);
    }

    @Test
    void secret_serversThatStartAtOnce_agree() {
        List<Future<byte[]>> secrets = IntStream.range(0, 8)
                .mapToObj(i -> TokenSigningSecret.of(store))
                .toList();

        byte[] first = await(secrets.get(0));

        assertThat(secrets).allSatisfy(secret -> assertThat(await(secret)).isEqualTo(first));
    }
}
