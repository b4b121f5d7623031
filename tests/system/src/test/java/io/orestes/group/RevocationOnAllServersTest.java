package io.orestes.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.http.LiveStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A right that one server revokes is revoked on all of them when the request is answered, also for
 * live queries.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class RevocationOnAllServersTest {

    private static final String PASSWORD = "s3cret word";
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final ServerGroup group;
    private final Client root;

    RevocationOnAllServersTest(@TempDir Path folder) throws Exception {
        group = new ServerGroup(folder);
        root = group.root(0);
    }

    @AfterAll
    void close() {
        group.close();
    }

    /**
     * The revoked right, the server that revokes it, and the status of the class for the old token.
     */
    enum Revocation {
        TOKENS(460),
        PASSWORD(460),
        ROLE(466),
        ROLE_DELETED(466),
        ACTIVITY(460),
        ACCOUNT(460),
        CLASS_PERMISSION(466);

        private final int status;

        Revocation(int status) {
            this.status = status;
        }
    }

    @ParameterizedTest
    @EnumSource(Revocation.class)
    void revocation_onOneServer_appliesToAllWhenItIsAnswered(Revocation loss) {
        Member member = new Member();
        assertThat(statuses(member)).as("all have seen the token").containsOnly(200);

        member.lose(loss);

        assertThat(statuses(member)).containsOnly(loss.status);
    }

    /** The subscriber is connected to a server that is not involved in the change. */
    @ParameterizedTest
    @EnumSource(Revocation.class)
    void revocation_onOneServer_endsLiveQueriesOfOthersBeforeFurtherEvents(Revocation loss) throws Exception {
        Member member = new Member();
        try (LiveStream stream = LiveStream.open(member.at(2), member.bucket, "q=%7B%7D");
                LiveStream sorted =
                        LiveStream.open(member.at(1), member.bucket, "q=%7B%7D&sort=%7B%22text%22%3A1%7D")) {
            assertThat(stream.next().name()).isEqualTo("result");
            assertThat(sorted.next().name()).isEqualTo("result");
            root.insert(member.bucket, "{\"text\":\"before\"}");
            assertThat(stream.next().summary()).startsWith("add insert");
            assertThat(sorted.next().summary()).startsWith("add insert");

            member.lose(loss);
            root.insert(member.bucket, "{\"text\":\"after\"}");

            for (LiveStream each : List.of(stream, sorted)) {
                LiveStream.Event last = each.next();
                assertThat(last.name()).as(last.text()).isEqualTo("error");
                assertThat(last.text()).contains("\"status\":" + loss.status);
                assertThat(each.next().name()).isEqualTo("end");
            }
        }
    }

    @Test
    void programsToken_takenBackByAnotherServer_isWorthlessOnAll() {
        Member member = new Member();
        Answer issued = group.root(1).post("/db/User/" + member.key() + "/token", "");
        assertThat(issued.status()).as(issued.text()).isEqualTo(200);
        member.token = issued.object().getString("token").getValue();
        assertThat(statuses(member)).containsOnly(200);

        assertThat(group.root(2).delete("/db/User/" + member.key() + "/token").status())
                .isEqualTo(204);

        assertThat(statuses(member)).containsOnly(460);
    }

    @Test
    void inactiveUser_cannotLogInAnywhereUntilActiveAgain() {
        Member member = new Member();
        member.lose(Revocation.ACTIVITY);

        List<Integer> refused = logIns(member);
        assertThat(group.root(2)
                        .post(member.id, "{\"$set\":{\"inactive\":false}}")
                        .status())
                .isEqualTo(200);

        assertThat(refused).containsOnly(460);
        assertThat(logIns(member)).containsOnly(200);
    }

    @Test
    void grant_onOneServer_appliesToAllWhenItIsAnswered() {
        Member member = new Member();
        member.lose(Revocation.ROLE);
        assertThat(statuses(member)).containsOnly(466);

        member.change(1, "$add");

        assertThat(statuses(member)).containsOnly(200);
    }

    private List<Integer> statuses(Member member) {
        return IntStream.range(0, 3)
                .map(server -> member.at(server)
                        .get("/db/" + member.bucket + "/query?q=%7B%7D")
                        .status())
                .boxed()
                .toList();
    }

    private List<Integer> logIns(Member member) {
        return IntStream.range(0, 3)
                .map(server -> group.anonymous(server)
                        .post(
                                "/db/User/login",
                                "{\"username\":\"%s\",\"password\":\"%s\"}".formatted(member.name, PASSWORD))
                        .status())
                .boxed()
                .toList();
    }

    /** A user with the one role that may query a class. */
    private final class Member {

        private final String name = "member" + NUMBERS.incrementAndGet();
        private final String bucket = "Of" + name;
        private final String id;
        private final String role;
        private String token;

        private Member() {
            Answer registered = group.anonymous(0)
                    .post(
                            "/db/User/register",
                            "{\"user\":{\"username\":\"%s\"},\"password\":\"%s\",\"login\":true}"
                                    .formatted(name, PASSWORD));
            assertThat(registered.status()).as(registered.text()).isEqualTo(200);
            id = registered.object().getString("id").getValue();
            token = registered.header("baqend-authorization-token").orElseThrow();
            role = root.insert("Role", "{\"name\":\"%s\",\"users\":[\"%s\"]}".formatted(name, id));
            permit(role);
        }

        private void permit(String who) {
            String type =
                    """
                    {"class": "/db/%s", "fields": {"text": {"type": "/db/String"}},
                     "acl": {"query": {"%s": "allow"}}}
                    """
                            .formatted(bucket, who);
            Answer permitted = root.put("/schema/" + bucket, type);
            assertThat(permitted.status()).as(permitted.text()).isEqualTo(200);
        }

        private Client at(int server) {
            return group.anonymous(server).withToken(token);
        }

        private String key() {
            return id.substring("/db/User/".length());
        }

        private void change(int server, String operator) {
            Answer changed = group.root(server).post(role, "{\"%s\":{\"users\":\"%s\"}}".formatted(operator, id));
            assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        }

        private void lose(Revocation loss) {
            switch (loss) {
                case TOKENS ->
                    assertThat(root.delete("/db/User/" + key() + "/token").status())
                            .isEqualTo(204);
                case PASSWORD ->
                    assertThat(group.anonymous(0)
                                    .post(
                                            "/db/User/password",
                                            "{\"username\":\"%s\",\"password\":\"%s\",\"newPassword\":\"another one\"}"
                                                    .formatted(name, PASSWORD))
                                    .status())
                            .isEqualTo(200);
                case ROLE -> change(0, "$remove");
                case ROLE_DELETED -> assertThat(root.delete(role).status()).isEqualTo(204);
                case ACTIVITY ->
                    assertThat(root.post(id, "{\"$set\":{\"inactive\":true}}").status())
                            .isEqualTo(200);
                case ACCOUNT -> assertThat(root.delete(id).status()).isEqualTo(204);
                case CLASS_PERMISSION -> permit("/db/Role/1");
            }
        }
    }
}
