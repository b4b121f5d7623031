package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.process.Waiting;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Passwords, tokens and roles over HTTP (protocol §5.3, §5.4, §5.8, §5.9). */
@ExtendWith(SharedBackend.class)
final class TokensTest {

    private final Backend backend;
    private final Client anonymous;
    private final Client root;
    private final Accounts.User user;

    TokensTest(Backend backend) {
        this.backend = backend;
        this.anonymous = backend.anonymous();
        this.root = backend.root();
        this.user = Accounts.create(backend);
    }

    @Test
    void password_changedByItsUser_endsEarlierTokensAndGoesOnWithANewOne() {
        Client elsewhere = anonymous.login(user.name(), Accounts.PASSWORD);

        Answer wrong = change(user.client(), "wrong", "new");
        assertThat(wrong.status()).isEqualTo(460);
        assertThat(wrong.object().getString("message").getValue()).isEqualTo("User name or password is incorrect");
        assertThat(user.client().get("/db/User/validate").status()).isEqualTo(200);

        Answer changed = change(user.client(), Accounts.PASSWORD, "new");

        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.object().getString("id").getValue()).isEqualTo(user.id());
        assertThat(changed.text()).doesNotContain("argon2", "password");
        assertThat(user.client().get(user.id()).status()).isEqualTo(460);
        assertThat(elsewhere.get("/db/User/me").status()).isEqualTo(404);
        assertThat(anonymous.withToken(Accounts.token(changed)).get(user.id()).status())
                .isEqualTo(200);
        assertThat(anonymous.login(user.name(), "new")).isNotNull();
    }

    @Test
    void password_changedByAdmin_handsOutNoToken() {
        Answer changed = change(root, "", "given");

        assertThat(changed.status()).isEqualTo(200);
        assertThat(Accounts.hasToken(changed)).isFalse();
        assertThat(user.client().get("/db/User/validate").status()).isEqualTo(460);
        assertThat(root.get("/db/User/validate").status()).isEqualTo(200);
        assertThat(anonymous.login(user.name(), "given")).isNotNull();
    }

    @Test
    void password_changedBySomebodyElse_isRefused() {
        Accounts.User other = Accounts.create(backend);

        assertThat(change(other.client(), "", "stolen").status()).isEqualTo(460);
        assertThat(change(anonymous, "guess", "stolen").status()).isEqualTo(460);
        assertThat(change(anonymous.withToken("junk"), Accounts.PASSWORD, "new").status())
                .isEqualTo(460);
        assertThat(change(anonymous, Accounts.PASSWORD, "").status()).isEqualTo(400);
        assertThat(anonymous
                        .post("/db/User/password", "{\"token\":\"t\",\"newPassword\":\"n\"}")
                        .status())
                .isEqualTo(501);
        assertThat(anonymous.login(user.name(), Accounts.PASSWORD)).isNotNull();
    }

    @Test
    void password_removed_leavesTheSessionOnly() {
        assertThat(anonymous.delete("/db/User/password").status()).isEqualTo(466);

        Answer removed = user.client().delete("/db/User/password");

        assertThat(removed.status()).isEqualTo(204);
        assertThat(anonymous
                        .withToken(Accounts.token(removed))
                        .get("/db/User/me")
                        .status())
                .isEqualTo(200);
        assertThat(anonymous
                        .post(
                                "/db/User/login",
                                "{\"username\":\"%s\",\"password\":\"%s\"}".formatted(user.name(), Accounts.PASSWORD))
                        .status())
                .isEqualTo(460);
    }

    @Test
    void apiToken_lastsUntilItIsRevokedAndIsNotRenewed() {
        Answer issued = root.post("/db/User/" + user.key() + "/token", "");
        String token = issued.object().getString("token").getValue();
        Client program = anonymous.withToken(token);

        assertThat(issued.status()).isEqualTo(200);
        assertThat(Accounts.hasToken(issued)).isFalse();
        assertThat(token.substring(8, 16)).isEqualTo("ffffffff");
        awaitNextSecond(token);
        assertThat(Accounts.hasToken(program.get("/db/User/me"))).isFalse();
        assertThat(Accounts.hasToken(program.put(user.id(), "{}"))).isFalse();
        assertThat(program.get("/connect").object().getString("token").getValue())
                .isEqualTo(token);

        assertThat(root.delete("/db/User/" + user.key() + "/token").status()).isEqualTo(204);

        assertThat(program.get(user.id()).status()).isEqualTo(460);
        assertThat(user.client().get(user.id()).status()).isEqualTo(460);
        assertThat(anonymous.login(user.name(), Accounts.PASSWORD)).isNotNull();
    }

    @Test
    void apiToken_forAWhile_endsByItself() {
        Answer issued = root.post("/db/User/" + user.key() + "/token?lifetime=600", "");
        String token = issued.object().getString("token").getValue();
        Client program = anonymous.withToken(token);

        assertThat(Long.parseLong(token.substring(8, 16), 16))
                .isEqualTo(Long.parseLong(token.substring(0, 8), 16) + 600);
        assertThat(program.get(user.id()).status()).isEqualTo(200);
        assertThat(program.post("/db/Role/3/assume", "").status()).isEqualTo(466);
        for (String wrong : List.of("", "0", "-1", "86401", "1h", "99999999999")) {
            assertThat(root.post("/db/User/" + user.key() + "/token?lifetime=" + wrong, "")
                            .status())
                    .as(wrong)
                    .isEqualTo(400);
        }
        Answer misplaced = root.post("/db/User/" + user.key() + "/token", "{\"lifetime\":60}");
        assertThat(misplaced.status()).isEqualTo(400);
        assertThat(user.client()
                        .post("/db/User/" + user.key() + "/token?lifetime=600", "")
                        .status())
                .isEqualTo(466);
    }

    @Test
    void apiToken_forAWhile_makesNothingThatLastsLonger() {
        String id = root.get("/db/User/me").object().getString("id").getValue();
        Client admin = anonymous.withToken(root.post(id + "/token?lifetime=600", "")
                .object()
                .getString("token")
                .getValue());
        String password = "{\"username\":\"%s\",\"newPassword\":\"another\"}".formatted(user.name());

        assertThat(admin.get("/-/settings").status()).isEqualTo(200);
        assertThat(admin.post("/db/User/" + user.key() + "/token", "").status()).isEqualTo(466);
        assertThat(admin.post("/db/User/" + user.key() + "/token?lifetime=600", "")
                        .status())
                .isEqualTo(466);
        assertThat(admin.post("/db/User/password", password).status()).isEqualTo(466);
        assertThat(admin.delete("/db/User/password").status()).isEqualTo(466);
        assertThat(root.post("/db/User/password", password).status()).isEqualTo(200);
    }

    @Test
    void apiToken_isForAdmins() {
        for (Client client : List.of(anonymous, user.client())) {
            assertThat(client.post("/db/User/" + user.key() + "/token", "").status())
                    .isEqualTo(466);
            assertThat(client.delete("/db/User/" + user.key() + "/token").status())
                    .isEqualTo(466);
        }
        assertThat(root.post("/db/User/nobody/token", "").status()).isEqualTo(404);
        assertThat(root.delete("/db/User/nobody/token").status()).isEqualTo(404);
    }

    @Test
    void revoke_ownTokens_answersWithAFreshOne() {
        Client session = anonymous.login("root", Backend.ROOT_PASSWORD);
        String adminName = Accounts.freshName();
        Answer registered = Accounts.register(session, adminName, true);
        String id = registered.object().getString("id").getValue();
        String role = session.insert("Role", "{\"name\":\"x\"}");
        root.update("/db/Role/1", "{\"name\":\"admin\",\"users\":[\"/db/User/1\",\"" + id + "\"]}");
        Client admin = anonymous.withToken(Accounts.token(registered));

        Answer revoked = admin.delete("/db/User/" + id.substring("/db/User/".length()) + "/token");

        assertThat(revoked.status()).isEqualTo(204);
        assertThat(admin.get(role).status()).isEqualTo(460);
        assertThat(anonymous.withToken(Accounts.token(revoked)).get(id).status())
                .isEqualTo(200);
        root.update("/db/Role/1", "{\"name\":\"admin\",\"users\":[\"/db/User/1\"]}");
    }

    @Test
    void renewal_ofSessionsThatWrite_comesAfterASecondAndNeverWithErrors() {
        String first = user.client().token();
        awaitNextSecond(first);
        String bucket = backend.newClass("text", "String");

        Answer inserted = user.client().post("/db/" + bucket, "{\"text\":\"a\"}");
        String id = inserted.object().getString("id").getValue();

        String renewed = Accounts.token(inserted);
        assertThat(Long.parseLong(renewed.substring(8, 16), 16))
                .isGreaterThanOrEqualTo(Long.parseLong(first.substring(8, 16), 16));
        assertThat(anonymous.withToken(renewed).get("/db/User/validate").status())
                .isEqualTo(200);
        assertThat(Accounts.hasToken(user.client().put(id, "{\"text\":\"b\"}"))).isTrue();
        assertThat(Accounts.hasToken(user.client().put(id, "{\"text\":7}"))).isFalse();
        assertThat(Accounts.hasToken(user.client().get(id))).isFalse();
        assertThat(Accounts.hasToken(user.client().query(bucket, "{}"))).isFalse();
        assertThat(Accounts.hasToken(user.client().delete(id))).isTrue();
        assertThat(Accounts.hasToken(user.client().delete(id, "If-Match", "*"))).isFalse();
    }

    @Test
    void assumedRole_isTheOnlyOneThatCounts() {
        String team = member("team");
        String other = member("other");
        String bucket = backend.newClass("text", "String");
        String teams = insertFor(bucket, team);
        String others = insertFor(bucket, other);
        assertThat(user.client().get(others).status()).isEqualTo(200);

        Answer assumed = user.client().post(team + "/assume", "");
        Client member = anonymous.withToken(assumed.object().getString("token").getValue());

        assertThat(Accounts.hasToken(assumed)).isFalse();
        assertThat(member.get(teams).status()).isEqualTo(200);
        assertThat(member.get(others).status()).isEqualTo(404);
        assertThat(member.get(user.id()).status()).isEqualTo(200);
        assertThat(user.client().post("/db/Role/1/assume", "").status()).isEqualTo(466);
        assertThat(user.client().post("/db/Role/none/assume", "").status()).isEqualTo(404);
        assertThat(anonymous.post(team + "/assume", "").status()).isEqualTo(466);
    }

    @Test
    void signedUrl_opensItsPathForReadsOnly() {
        String bucket = backend.newClass("text", "String");
        String id = user.client()
                .insert(
                        bucket,
                        "{\"id\":\"/db/%1$s/a%%20b\",\"text\":\"mine\",\"acl\":{\"read\":{\"%2$s\":\"allow\"},\"write\":{}}}"
                                .formatted(bucket, user.id()));
        String other = anonymous.insert(bucket, "{\"text\":\"public\"}");
        String token = derived("/v1" + id);

        Answer read = anonymous.get(id + "?BAT=" + token);

        assertThat(read.status()).isEqualTo(200);
        assertThat(read.header("Cache-Control").orElseThrow()).isEqualTo("no-store");
        assertThat(Accounts.hasToken(read)).isFalse();
        assertThat(anonymous
                        .get(id.replace("a%20b", "%61%20b") + "?BAT=" + token + "&BCB")
                        .status())
                .isEqualTo(200);
        assertThat(anonymous.get(id).status()).isEqualTo(404);
        assertThat(anonymous.get(other + "?BAT=" + token).status()).isEqualTo(460);
        assertThat(anonymous.get(other + "?BAT=").status()).isEqualTo(460);
        assertThat(anonymous.withToken(token).get(id).status()).isEqualTo(460);
        assertThat(anonymous.get("/db/User/me?BAT=" + derived("/v1/db/User/me")).status())
                .isEqualTo(404);
        assertThat(anonymous
                        .put(id + "?BAT=" + token, "{\"acl\":{\"read\":{\"/db/User/1\":\"allow\"},\"write\":{}}}")
                        .object()
                        .getNumber("version")
                        .intValue())
                .as("a write is that of nobody")
                .isEqualTo(2);
        assertThat(root.delete("/db/User/" + user.key() + "/token").status()).isEqualTo(204);
        assertThat(anonymous.get(id + "?BAT=" + token).status()).isEqualTo(460);
    }

    /** A copy of what one user may see must not be the answer to the next who asks so. */
    @Test
    void signedUrl_ofAQuery_isNotKept() {
        String bucket = backend.newClass("text", "String");
        String id = insertFor(bucket, user.id());
        String path = "/db/" + bucket + "/query?q=%7B%7D";
        String token = derived("/v1/db/" + bucket + "/query");

        for (int i = 0; i < 2; i++) {
            Answer read = anonymous.get(path + "&BAT=" + token);
            assertThat(read.ids()).containsExactly(id);
            assertThat(read.header("Cache-Control")).hasValue("no-store");
        }
        assertThat(root.delete("/db/User/" + user.key() + "/token").status()).isEqualTo(204);

        assertThat(anonymous.get(path + "&BAT=" + token).status()).isEqualTo(460);
        assertThat(anonymous.get(path).array()).isEmpty();
    }

    @Test
    void signedUrl_ofAPreparedQuery_isNotKept() {
        String bucket = backend.newClass("text", "String");
        String id = insertFor(bucket, user.id());
        String prepared = root.post("/query", "{\"bucket\":\"%s\",\"query\":{}}".formatted(bucket))
                .object()
                .getString("id")
                .getValue();

        Answer read = anonymous.get(prepared + "/result?BAT=" + derived("/v1" + prepared + "/result"));

        assertThat(read.ids()).containsExactly(id);
        assertThat(read.header("Cache-Control")).hasValue("no-store");
    }

    /** Whoever was given the link can put anything behind the path. */
    @Test
    void signedUrl_withDepth_doesNotOpenWhatIsReferredTo() {
        String bucket = backend.newClass("owner", "User");
        String id = anonymous.insert(bucket, "{\"owner\":\"%s\"}".formatted(user.id()));
        String ofObject = id + "?depth=1&BAT=" + derived("/v1" + id);
        String ofQuery = "/db/" + bucket + "/query?q=%7B%7D&depth=true&BAT=" + derived("/v1/db/" + bucket + "/query");

        assertThat(user.client().get(id + "?depth=1").object().isDocument("owner"))
                .isTrue();
        assertThat(anonymous.get(ofObject).status()).isEqualTo(466);
        assertThat(anonymous.get(ofQuery).status()).isEqualTo(466);
        assertThat(anonymous.get(ofObject.replace("depth=1&", "")).status()).isEqualTo(200);
        assertThat(user.client().get(ofObject).object().isDocument("owner"))
                .as("by a header the user may")
                .isTrue();
    }

    @Test
    void signedUrl_withPolymorphic_doesNotOpenSubclasses() {
        String bucket = backend.newClass("name", "String");
        String signed = "?q=%7B%7D&BAT=" + derived("/v1/db/" + bucket + "/query");
        String counted = "?q=%7B%7D&BAT=" + derived("/v1/db/" + bucket + "/count");

        assertThat(anonymous
                        .get("/db/" + bucket + "/query" + signed + "&polymorphic=true")
                        .status())
                .isEqualTo(466);
        assertThat(anonymous
                        .get("/db/" + bucket + "/count" + counted + "&polymorphic=true")
                        .status())
                .isEqualTo(466);
        assertThat(anonymous
                        .get("/db/" + bucket + "/query" + signed + "&polymorphic=false")
                        .status())
                .isEqualTo(200);
        assertThat(anonymous.get("/db/" + bucket + "/count" + counted).status()).isEqualTo(200);
    }

    @Test
    void connect_withASignedPath_resumesTheSession() {
        Answer connected = anonymous.get("/connect?BAT=" + derived("/v1/connect"));

        assertThat(connected.object().getDocument("user").getString("id").getValue())
                .isEqualTo(user.id());
        assertThat(anonymous
                        .withToken(connected.object().getString("token").getValue())
                        .get(user.id())
                        .status())
                .isEqualTo(200);
        assertThat(connected.header("Cache-Control").orElseThrow()).isEqualTo("private, no-store");
        assertThat(anonymous.get("/connect?BAT=" + derived("/v1/db/User")).object())
                .doesNotContainKey("user");
    }

    @Test
    void anyInvalidToken_onADataCall_is460AndNothingIsDone() {
        String bucket = backend.newClass("text", "String");
        String id = anonymous.insert(bucket, "{\"text\":\"a\"}");
        Random random = new Random(9);
        String valid = user.client().token();

        for (int i = 0; i < 200; i++) {
            int at = random.nextInt(valid.length());
            char other = "0123456789abcdefghiZ-_.~".charAt(random.nextInt(24));
            String changed = valid.substring(0, at) + other + valid.substring(at + 1);
            Client client = anonymous.withToken(i % 3 == 0 ? valid.substring(at) : changed);
            int expected = client.token().equals(valid) ? 200 : 460;
            assertThat(client.get(id).status()).as(client.token()).isEqualTo(expected);
        }
        assertThat(anonymous.withToken("x").delete(id).status()).isEqualTo(460);
        assertThat(anonymous.withToken("x").post("/db/" + bucket, "{}").status())
                .isEqualTo(460);
        assertThat(anonymous.count(bucket)).isEqualTo(1);
        assertThat(anonymous.withToken("x").get("/db/User/logout").status()).isEqualTo(204);
    }

    private Answer change(Client client, String old, String next) {
        return client.post(
                "/db/User/password",
                "{\"username\":\"%s\",\"password\":\"%s\",\"newPassword\":\"%s\"}".formatted(user.name(), old, next));
    }

    private String member(String name) {
        return root.insert("Role", "{\"name\":\"" + name + "\",\"users\":[\"" + user.id() + "\"]}");
    }

    private String insertFor(String bucket, String reader) {
        return root.insert(
                bucket,
                "{\"text\":\"x\",\"acl\":{\"read\":{\"%s\":\"allow\"},\"write\":{\"/db/Role/1\":\"allow\"}}}"
                        .formatted(reader));
    }

    /** What a client makes of the user's token for one path (protocol §5.9). */
    private String derived(String path) {
        String token = user.client().token();
        String data = token.substring(0, token.length() - 40);
        try {
            Mac mac = Mac.getInstance("HmacSHA1");
            mac.init(new SecretKeySpec(token.substring(data.length()).getBytes(StandardCharsets.US_ASCII), "HmacSHA1"));
            return data + HexFormat.of().formatHex(mac.doFinal((path + data).getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits until a token is a second old by the clock that it was issued by, which this machine shares. */
    private static void awaitNextSecond(String token) {
        Instant due = Instant.ofEpochSecond(Long.parseLong(token.substring(0, 8), 16) + 1);
        Waiting.until("the token is a second old", () -> !Instant.now().isBefore(due));
    }
}
