package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.server.Launcher;
import io.orestes.support.server.ServerProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** An entity tag stands for one body of its URL: no other one, from whatever time, is ever confirmed or overwritten by it. */
@ExtendWith(SharedBackend.class)
final class EntityTagsTest {

    private final Backend backend;
    private final Client client;
    private final Client root;
    private String bucket = "";
    private String id = "";

    EntityTagsTest(Backend backend) {
        this.backend = backend;
        this.client = backend.anonymous();
        this.root = backend.root();
    }

    @BeforeEach
    void createObject() {
        bucket = backend.newClass("text", "String");
        id = client.insert(bucket, "{\"text\":\"first life\"}");
    }

    @Test
    void load_copyOfAnEarlierLife_isNeverConfirmed() {
        String former = etag(client.get(id));
        for (int life = 2; life < 12; life++) {
            client.remove(id);
            client.update(id, "{\"text\":\"life " + life + "\"}");

            Answer answer = client.get(id, "If-None-Match", former);
            Answer cached = client.get(id, "If-None-Match", former);

            assertThat(answer.status()).isEqualTo(200);
            assertThat(cached.status()).isEqualTo(200);
            assertThat(cached.header("orestes-cache")).hasValue("hit");
            assertThat(answer.text()).contains("life " + life, "\"version\":1,");
        }
    }

    @Test
    void write_tagOfAnEarlierLife_is412() {
        String former = etag(client.get(id));
        client.remove(id);
        String present = client.update(id, "{\"text\":\"second life\"}").text();

        assertThat(client.put(id, "{\"text\":\"late\"}", "If-Match", former).status())
                .isEqualTo(412);
        assertThat(client.delete(id, "If-Match", former).status()).isEqualTo(412);
        assertThat(client.get(id).text()).isEqualTo(present);
    }

    @Test
    void write_tagOfTheCurrentState_succeeds() {
        String first = etag(client.get(id));
        String second = etag(client.update(id, "{\"text\":\"b\"}", "If-Match", first));

        assertThat(client.put(id, "{\"text\":\"c\"}", "If-Match", first).status())
                .isEqualTo(412);
        assertThat(client.delete(id, "If-Match", second).status()).isEqualTo(204);
    }

    @Test
    void load_copyFromBeforeAFieldWasAdded_isNotConfirmed() {
        Answer former = client.get(id);

        addField();

        Answer answer = client.get(id, "If-None-Match", etag(former));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.object().isNull("n")).isTrue();
        assertThat(client.get(id, "If-None-Match", etag(answer)).status()).isEqualTo(304);
    }

    @Test
    void load_fieldTakenBack_confirmsTheCopyThatIsRightAgain() {
        Answer former = client.get(id);

        addField();
        change("{\"operation\":\"removeField\",\"bucket\":\"/db/%s\",\"name\":\"n\"}");

        assertThat(client.get(id, "If-None-Match", etag(former)).status()).isEqualTo(304);
        assertThat(client.get(id).text()).isEqualTo(former.text());
    }

    @Test
    void write_tagFromBeforeAFieldWasAdded_succeeds() {
        String former = etag(client.get(id));

        addField();

        assertThat(client.put(id, "{\"text\":\"b\"}", "If-Match", former).status())
                .isEqualTo(200);
    }

    @Test
    void load_classNoLongerPublic_refusesInsteadOfConfirming() {
        String former = etag(client.get(id));

        change(
                "{\"operation\":\"updateClassAcl\",\"bucket\":\"/db/%s\",\"acl\":{\"load\":{\"/db/Role/1\":\"allow\"}}}");

        assertThat(client.get(id, "If-None-Match", former).status()).isEqualTo(466);
        assertThat(root.get(id, "If-None-Match", former).status()).isEqualTo(304);
    }

    @Test
    void query_copyFromBeforeAFieldWasAdded_isNotConfirmed() {
        String former = etag(client.query(bucket, "{}"));

        addField();

        assertThat(client.query(bucket, "{}", "If-None-Match", former).status()).isEqualTo(200);
    }

    @Test
    void query_copyOfAnEarlierLife_isNotConfirmed() {
        String former = etag(client.query(bucket, "{}"));
        client.remove(id);
        client.update(id, "{\"text\":\"first life\"}");

        assertThat(client.query(bucket, "{}", "If-None-Match", former).status()).isEqualTo(200);
    }

    @Test
    void load_afterARestart_confirmsTheSameCopyAndNoOther(@TempDir Path data) throws InterruptedException {
        Answer former;
        Answer deleted;
        try (ServerProcess server = Launcher.here().start(data, "--root-password", Backend.ROOT_PASSWORD)) {
            Client before = Client.anonymous(server);
            Answer created = before.login("root", Backend.ROOT_PASSWORD)
                    .post(
                            "/schema",
                            "{\"class\":\"/db/Kept\",\"fields\":{\"n\":{\"name\":\"n\",\"type\":\"/db/Integer\"}}}");
            assertThat(created.status()).isEqualTo(200);
            former = before.update("/db/Kept/a", "{\"n\":1}");
            deleted = before.update("/db/Kept/b", "{\"n\":1}");
            before.remove("/db/Kept/b");
            server.stop();
        }
        try (ServerProcess server = Launcher.here().start(data)) {
            Client after = Client.anonymous(server);
            after.update("/db/Kept/b", "{\"n\":1}");

            assertThat(after.get("/db/Kept/a", "If-None-Match", etag(former)).status())
                    .isEqualTo(304);
            assertThat(after.get("/db/Kept/a").text()).isEqualTo(former.text());
            assertThat(after.get("/db/Kept/b", "If-None-Match", etag(deleted)).status())
                    .isEqualTo(200);
            assertThat(after.put("/db/Kept/b", "{\"n\":2}", "If-Match", etag(deleted))
                            .status())
                    .isEqualTo(412);
            server.stop();
        }
    }

    private void addField() {
        change("{\"operation\":\"addField\",\"bucket\":\"/db/%s\","
                + "\"field\":{\"name\":\"n\",\"type\":\"/db/Integer\"}}");
    }

    private void change(String operation) {
        Answer changed = root.post("/schema", operation.formatted(bucket));
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
    }

    private static String etag(Answer answer) {
        return answer.header("etag").orElseThrow();
    }
}
