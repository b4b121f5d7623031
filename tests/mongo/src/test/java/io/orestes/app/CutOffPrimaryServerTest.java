package io.orestes.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.WriteConcern;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import io.orestes.support.mongo.ReplicaSet;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A server that reaches the old primary only, while others write to the next one. It refuses reads
 * that demand the newest state, and answers all others by the states of the old primary.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class CutOffPrimaryServerTest {

    private static final String ID = "/db/Note/a";
    private static final String SCHEMA =
            """
            {"class": "/db/Note", "fields": {
              "text": {"name": "text", "type": "/db/String"}, "next": {"name": "next", "type": "/db/Note"}}}""";

    private final ReplicaSet set = ReplicaSet.start();
    private RunningServer server;

    @BeforeAll
    void cutOff(@TempDir Path data) {
        server = RunningServer.start(
                data,
                "--mongo",
                ReplicaSet.addressOf(set.primary()),
                "--mongo.deadline",
                "6s",
                "--root-password",
                "secret");
        assertThat(TestRequests.root(server).post("/schema/Note", SCHEMA).statusCode())
                .isEqualTo(200);
        put(ID, "{\"text\": \"old\"}");
        put("/db/Note/b", "{\"text\": \"old\", \"next\": \"/db/Note/a\"}");

        set.replaceUnseen();
        assertThat(set.successor()
                        .database()
                        .getCollection("Note")
                        .withWriteConcern(WriteConcern.MAJORITY)
                        .updateOne(Filters.eq(ID), Updates.set("text", "new"))
                        .getModifiedCount())
                .isEqualTo(1);
    }

    @AfterAll
    void close() {
        server.close();
        set.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/db/Note/a",
                "/db/Note/a?depth=1",
                "/db/Note/b?depth=1",
                "/db/Note/query?q={\"text\":\"old\"}",
                "/db/Note/query?q={\"text\":\"old\"}&ids=true",
                "/db/Note/query?q={\"text\":\"old\"}&depth=1",
                "/db/Note/query?q={\"text\":\"old\"}&polymorphic=true",
                "/db/Note/query?q={\"text\":\"old\"}&eager=false",
                "/db/Note/query?q={\"text\":\"old\"}&aggregate={\"_id\":null,\"n\":{\"$count\":{}}}",
                "/db/Note/count?q={\"text\":\"old\"}",
                "/db/Note/count?q={\"text\":\"old\"}&polymorphic=true"
            })
    void read_thatDemandsTheNewestState_isUnavailable(String path) {
        TestRequests anonymous = TestRequests.anonymous(server);
        String url = encoded(path);

        assertThat(anonymous.get(url).statusCode()).isEqualTo(200);
        assertUnavailable(anonymous.get(url, "Cache-Control", "no-cache"));
        assertUnavailable(anonymous.get(url, "Orestes-Consistency", "fresh"));
        assertUnavailable(TestRequests.root(server).get(url, "Cache-Control", "no-cache"));
        assertUnavailable(anonymous.get(url, "Cache-Control", "no-cache", "If-None-Match", "\"1\""));
    }

    private static void assertUnavailable(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        assertThat(answer.body()).contains("MongoDB").doesNotContain("old");
    }

    private void put(String id, String body) {
        assertThat(TestRequests.anonymous(server).put(id, body).statusCode()).isLessThan(300);
    }

    private static String encoded(String path) {
        return path.replace("{", "%7B").replace("}", "%7D").replace("\"", "%22").replace("$", "%24");
    }
}
