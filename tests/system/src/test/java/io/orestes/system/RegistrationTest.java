package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How users come into being, and what they may change of themselves (protocol §5.2). */
@ExtendWith(SharedBackend.class)
final class RegistrationTest {

    private final Backend backend;
    private final Client anonymous;
    private final Client root;

    RegistrationTest(Backend backend) {
        this.backend = backend;
        this.anonymous = backend.anonymous();
        this.root = backend.root();
    }

    @Test
    void register_withLogin_opensASession() {
        String name = Accounts.freshName();

        Answer registered = Accounts.register(anonymous, name, true);

        BsonDocument user = registered.object();
        String id = user.getString("id").getValue();
        assertThat(registered.status()).isEqualTo(200);
        assertThat(user.getString("username").getValue()).isEqualTo(name);
        assertThat(user.get("acl"))
                .isEqualTo(BsonDocument.parse("{read: {'%1$s': 'allow'}, write: {'%1$s': 'allow'}}".formatted(id)));
        assertThat(user.getNumber("version").intValue()).isEqualTo(1);
        assertThat(registered.text()).doesNotContain(Accounts.PASSWORD, "argon2", "password");
        Client session = anonymous.withToken(Accounts.token(registered));
        assertThat(session.get("/db/User/me").object().getString("id").getValue())
                .isEqualTo(id);
        assertThat(session.get(id).text()).doesNotContain("argon2", "password");
        assertThat(anonymous.get(id).status()).isEqualTo(404);
        assertThat(anonymous.login(name, Accounts.PASSWORD).get(id).status()).isEqualTo(200);
    }

    /** It waits, as other writes do, and is checked by the schema of afterwards. */
    @Test
    void register_whileAFieldOfAllUsersIsRenamed_isNotRefused() {
        try (Backend own = Backend.start()) {
            Client admin = own.root();
            assertThat(admin.post(
                                    "/schema",
                                    "{\"class\":\"/db/User\",\"fields\":{\"nick\":{\"name\":\"nick\",\"type\":\"/db/String\"}}}")
                            .status())
                    .isEqualTo(200);
            // a write waits for five seconds at most, so a busy machine has to rename these in less
            String users = IntStream.range(0, 4_000)
                    .mapToObj("{\"id\":\"/db/User/u%1$d\",\"username\":\"u%1$d\",\"nick\":\"n\"}"::formatted)
                    .collect(Collectors.joining(",", "[", "]"));
            assertThat(admin.put("/db/User", users).array()).isEmpty();
            CompletableFuture<Answer> renamed = CompletableFuture.supplyAsync(() -> admin.post(
                    "/schema",
                    "{\"operation\":\"renameField\",\"bucket\":\"/db/User\",\"from\":\"nick\",\"to\":\"alias\"}"));

            do {
                assertThat(Accounts.register(admin, Accounts.freshName(), false).status())
                        .isEqualTo(200);
            } while (!renamed.isDone());

            assertThat(renamed.join().status()).isEqualTo(200);
        }
    }

    @Test
    void register_withoutLogin_handsOutNoToken() {
        String name = Accounts.freshName();

        Answer registered = Accounts.register(anonymous, name, false);

        assertThat(registered.status()).isEqualTo(200);
        assertThat(Accounts.hasToken(registered)).isFalse();
        assertThat(Accounts.hasToken(Accounts.register(root, Accounts.freshName(), false)))
                .isFalse();
    }

    @Test
    void register_withATokenThatIsNotValid_succeedsAllTheSame() {
        assertThat(Accounts.register(anonymous.withToken("junk"), Accounts.freshName(), true)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void register_nameIsTaken_is409AndChangesNobody() {
        Accounts.User user = Accounts.create(backend);

        Answer refused = anonymous.post(
                "/db/User/register", "{\"user\":{\"username\":\"" + user.name() + "\"},\"password\":\"other\"}");

        assertThat(refused.status()).isEqualTo(409);
        assertThat(Accounts.hasToken(refused)).isFalse();
        assertThat(anonymous.login(user.name(), Accounts.PASSWORD)).isNotNull();
    }

    /** Names are compared as they are: another case is another name. */
    @Test
    void register_nameInAnotherCase_isAnotherUser() {
        Accounts.User user = Accounts.create(backend);

        assertThat(Accounts.register(anonymous, user.name().toUpperCase(Locale.ROOT), false)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void register_sixteenAtOnceUnderOneName_oneSucceedsAndCanLogIn() throws Exception {
        String name = Accounts.freshName();
        ExecutorService threads = Executors.newFixedThreadPool(16);
        try {
            List<Future<Answer>> attempts = IntStream.range(0, 16)
                    .mapToObj(i -> threads.submit(() -> Accounts.register(anonymous, name, true)))
                    .toList();

            int created = 0;
            for (Future<Answer> attempt : attempts) {
                boolean isFirst = attempt.get().status() == 200;
                created += isFirst ? 1 : 0;
                assertThat(attempt.get().text())
                        .contains(isFirst ? name : "\"status\":409,\"className\":\"ObjectExists\"");
            }

            assertThat(created).isEqualTo(1);
            assertThat(root.query("User", "{\"username\":\"" + name + "\"}").ids())
                    .hasSize(1);
            assertThat(anonymous.login(name, Accounts.PASSWORD)).isNotNull();
        } finally {
            threads.shutdown();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"user\":{\"username\":\"x\"}}",
                "{\"user\":{\"username\":\"x\"},\"password\":\"\"}",
                "{\"user\":{\"username\":\"x\"},\"password\":7}",
                "{\"user\":{\"username\":\"\"},\"password\":\"p\"}",
                "{\"user\":{\"username\":null},\"password\":\"p\"}",
                "{\"user\":{\"username\":{\"a\":1}},\"password\":\"p\"}",
                "{\"user\":{},\"password\":\"p\"}",
                "{\"user\":\"x\",\"password\":\"p\"}",
                "{\"user\":{\"username\":\"a\\u0000b\"},\"password\":\"p\"}",
                "{\"user\":{\"username\":\"a\\nb\"},\"password\":\"p\"}",
                "{\"user\":{\"username\":\"\\ud800\"},\"password\":\"p\"}",
                "{\"user\":{\"username\":\"fine\"},\"password\":\"\\udc00\"}",
                "[]"
            })
    void register_withoutAProperNameAndPassword_is400(String body) {
        assertThat(anonymous.post("/db/User/register", body).status()).isEqualTo(400);
    }

    @Test
    void register_hugeNameOrPassword_is400() {
        String huge = "x".repeat(100_000);

        assertThat(Accounts.register(anonymous, huge, true).status()).isEqualTo(400);
        assertThat(anonymous
                        .post("/db/User/register", "{\"user\":{\"username\":\"y\"},\"password\":\"" + huge + "\"}")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void register_customFields_areCheckedAndKept() {
        assertThat(root.post(
                                "/schema/User",
                                "{\"class\":\"/db/User\",\"fields\":{\"nick\":{\"name\":\"nick\",\"type\":\"/db/String\"}}}")
                        .status())
                .isEqualTo(200);
        String wrong = "{\"user\":{\"username\":\"%s\",\"nick\":7},\"password\":\"p\"}";
        String right = "{\"user\":{\"username\":\"%s\",\"nick\":\"n\",\"inactive\":true,"
                + "\"acl\":{\"read\":{},\"write\":{}},\"createdAt\":null},\"password\":\"p\"}";
        String name = Accounts.freshName();

        assertThat(anonymous.post("/db/User/register", wrong.formatted(name)).status())
                .isEqualTo(463);
        BsonDocument user =
                anonymous.post("/db/User/register", right.formatted(name)).object();

        assertThat(user.getString("nick").getValue()).isEqualTo("n");
        assertThat(user.getBoolean("inactive").getValue()).isFalse();
        assertThat(anonymous.get(user.getString("id").getValue()).status()).isEqualTo(404);
    }

    @Test
    void register_classDoesNotAllowInserts_is466ButForAdmins() {
        String closed = "{\"operation\":\"updateClassAcl\",\"bucket\":\"/db/User\",\"acl\":{\"insert\":%s}}";
        assertThat(root.post("/schema", closed.formatted("{\"/db/Role/1\":\"allow\"}"))
                        .status())
                .isEqualTo(200);
        try {
            assertThat(Accounts.register(anonymous, Accounts.freshName(), true).status())
                    .isEqualTo(466);
            assertThat(Accounts.register(root, Accounts.freshName(), false).status())
                    .isEqualTo(200);
            assertThat(explainedAs("")).isFalse();
            assertThat(explainedAs("/db/User/1")).isTrue();
        } finally {
            assertThat(root.post("/schema", closed.formatted("{}")).status()).isEqualTo(200);
        }
    }

    private boolean explainedAs(String user) {
        return root.get("/-/explain?operation=register&ref=/db/User&caller=" + user)
                .object()
                .getBoolean("granted")
                .getValue();
    }

    @Test
    void insert_ofAUser_is466WhoeverAsks() {
        for (Client client : List.of(anonymous, root)) {
            Answer refused = client.post("/db/User", "{\"username\":\"x\"}");
            assertThat(refused.status()).isEqualTo(466);
            assertThat(refused.object().getString("message").getValue()).contains("are not allowed");
            assertThat(client.put("/db/User/chosen", "{\"username\":\"x\"}").status())
                    .isEqualTo(466);
        }
    }

    @Test
    void update_byTheUser_keepsNameAndState() {
        Accounts.User user = Accounts.create(backend);
        String acl = "\"acl\":{\"read\":{\"%1$s\":\"allow\"},\"write\":{\"%1$s\":\"allow\"}}".formatted(user.id());

        Answer forced = user.client().put(user.id(), "{\"username\":\"root\",\"inactive\":true," + acl + "}");
        Answer versioned = user.client().put(user.id(), "{\"username\":null," + acl + "}", "If-Match", "\"2\"");

        assertThat(forced.status()).as(forced.text()).isEqualTo(200);
        assertThat(forced.object().getString("username").getValue()).isEqualTo(user.name());
        assertThat(versioned.object().getString("username").getValue()).isEqualTo(user.name());
        assertThat(versioned.object().getBoolean("inactive").getValue()).isFalse();
        assertThat(anonymous.put(user.id(), "{}").status()).isEqualTo(466);
    }

    @Test
    void update_byAdmin_deactivatesAndRenames() {
        Accounts.User user = Accounts.create(backend);
        String other = Accounts.freshName();

        root.update(user.id(), "{\"username\":\"" + other + "\",\"inactive\":true}");

        assertThat(user.client().get("/db/User/me").status()).isEqualTo(404);
        assertThat(user.client().get(user.id()).status()).isEqualTo(460);
        Answer login = anonymous.post(
                "/db/User/login", "{\"username\":\"%s\",\"password\":\"%s\"}".formatted(other, Accounts.PASSWORD));
        assertThat(login.status()).isEqualTo(460);
        assertThat(login.object().getString("message").getValue()).isEqualTo("The account is not active");
    }

    @Test
    void insert_whereTheServerAssignsIds_ignoresTheGivenOne() {
        for (String bucket : List.of("Role", "logs.AppLog")) {
            Answer inserted = anonymous.post("/db/" + bucket, "{\"id\":\"/db/" + bucket + "/chosen\"}");

            assertThat(inserted.status()).as(inserted.text()).isEqualTo(201);
            assertThat(inserted.object().getString("id").getValue())
                    .startsWith("/db/" + bucket + "/")
                    .doesNotEndWith("chosen");
        }
        assertThat(anonymous.put("/db/Role/chosen", "{\"name\":\"x\"}").status())
                .isEqualTo(466);
    }

    @Test
    void appLog_isWrittenByAnybodyAndReadByAdmins() {
        Answer logged = anonymous.post(
                "/db/logs.AppLog",
                "{\"date\":\"2026-01-02T03:04:05.006Z\",\"message\":\"m\",\"level\":\"info\",\"data\":{\"a.b\":1}}");
        String id = logged.object().getString("id").getValue();

        assertThat(anonymous.get(id).status()).isEqualTo(466);
        assertThat(anonymous.query("logs.AppLog", "{}").status()).isEqualTo(466);
        assertThat(root.query("logs.AppLog", "{\"message\":\"m\"}").ids()).contains(id);
        assertThat(anonymous.put(id, "{}").status()).isEqualTo(466);
        assertThat(anonymous.delete(id).status()).isEqualTo(466);
    }

    /** Queries and caches hear of new users as of other objects. */
    @Test
    void register_isSeenByQueriesThatWereCachedBefore() {
        String name = Accounts.freshName();
        assertThat(root.query("User", "{\"username\":\"" + name + "\"}").ids()).isEmpty();

        assertThat(Accounts.register(anonymous, name, false).status()).isEqualTo(200);

        assertThat(root.query("User", "{\"username\":\"" + name + "\"}").ids()).hasSize(1);
    }
}
