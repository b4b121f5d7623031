package io.orestes.auth.password;

import static io.orestes.schema.TestSchemas.object;
import static io.orestes.store.Await.await;
import static io.orestes.store.Await.awaitAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.auth.account.LoginService;
import io.orestes.auth.limit.LoginThrottle;
import io.orestes.auth.limit.RateLimitConfig;
import io.orestes.auth.token.TokenService;
import io.orestes.model.ObjectRef;
import io.orestes.model.ReadLevel;
import io.orestes.model.StoredObject;
import io.orestes.schema.EmptyStoreFixture;
import io.orestes.store.ForwardingStore;
import io.orestes.store.ManualClock;
import io.orestes.store.ObjectStore;
import io.orestes.store.StoreQuery;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cost of a log-in in look-ups and hashes. Its duration must not reveal whether a name exists. */
final class LoginWorkTest extends EmptyStoreFixture {

    private static final AuthConfig CHEAP = new AuthConfig(Duration.ofDays(30), 64, 1);
    private static final String HOME = "192.0.2.7";

    private final List<String> work = new CopyOnWriteArrayList<>();
    private final ManualClock clock = new ManualClock();
    private LoginService logins;

    @BeforeEach
    void register() {
        ObjectStore watched = new RecordingStore(store);
        CredentialStore credentialStore = new CredentialStore(watched, user -> Future.succeededFuture());
        PasswordHashingPool hasher = new PasswordHashingPool(vertx, CHEAP, true, () -> this::hash);
        PasswordService passwordService = new PasswordService(
                watched, credentialStore, vertx, hasher, new LoginThrottle(clock, RateLimitConfig.DEFAULT));
        logins = new LoginService(watched, passwordService, new TokenService(new byte[32], Duration.ofDays(30), clock));
        create("ann", "{'username': 'ann', 'inactive': false}");
        create("gone", "{'username': 'gone', 'inactive': true}");
        create("oauth", "{'username': 'oauth', 'inactive': false}");
        await(passwordService.set(new ObjectRef("User", "ann"), "secret"));
        await(passwordService.set(new ObjectRef("User", "gone"), "secret"));
    }

    private void create(String key, String fields) {
        assertThat(await(store.insert(new ObjectRef("User", key), object(fields))))
                .isNotNull();
    }

    @ParameterizedTest
    @CsvSource({"nobody, guess", "nobody, ''", "Ann, secret", "ann, ''", "gone, guess", "gone, secret", "oauth, guess"})
    void login_thatFails_doesTheWorkOfAWrongPassword(String name, String password) {
        List<String> expected = workOf("ann", "guess");

        assertThat(workOf(name, password)).isEqualTo(expected);
        assertThat(expected).filteredOn(step -> step.startsWith("hash")).hasSize(1);
    }

    @Test
    void login_thatIsRefusedForItsManyFailures_doesTheSameWhoeverHasTheName() {
        for (int i = 0; i < 5; i++) {
            assertThat(workOf("ann", "guess")).isEqualTo(workOf("nobody", "guess"));
        }

        assertThat(workOf("ann", "guess"))
                .isEqualTo(workOf("nobody", "guess"))
                .noneMatch(step -> step.startsWith("hash"));
    }

    private List<String> workOf(String name, String password) {
        work.clear();
        awaitAll(List.of(logins.login(name, password, HOME)));
        return List.copyOf(work);
    }

    private byte[] hash(byte[] password, byte[] salt, int memoryKib, int passes) {
        work.add("hash with " + memoryKib + " KiB in " + passes + " passes");
        return Argon2.fastest().hash(password, salt, memoryKib, passes);
    }

    /** Records the look-ups with their buckets. */
    private final class RecordingStore extends ForwardingStore {

        private RecordingStore(ObjectStore target) {
            super(target);
        }

        @Override
        public Future<Optional<StoredObject>> find(ObjectRef ref, ReadLevel level) {
            work.add("find in " + ref.bucket());
            return super.find(ref, level);
        }

        @Override
        public Future<List<StoredObject>> query(StoreQuery query) {
            work.add("query of " + query.bucket());
            return super.query(query);
        }
    }
}
