package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.process.Waiting;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code GET /-/logs}: what a server logged. {@code AdminPermissionsTest} shows who may read it.
 */
@ExtendWith(SharedBackend.class)
final class LogsTest {

    private final Backend backend;

    LogsTest(Backend backend) {
        this.backend = backend;
    }

    @Test
    void entries_thatComeAfterAnAnswer_areInTheNext() {
        String after = logs("limit=1").getString("after").getValue();
        long before = System.currentTimeMillis();

        String bucket = drop();

        Answer answer = backend.root().get("/-/logs?contains=" + dropped(bucket) + "&after=" + after);
        BsonDocument entry = only(entries(answer.object()));
        assertThat(answer.header("Cache-Control").orElseThrow()).contains("no-store");
        assertThat(entry.getString("level").getValue()).isEqualTo("info");
        assertThat(entry.getString("logger").getValue()).isEqualTo("io.orestes.schema.SchemaRegistry");
        assertThat(entry.getString("message").getValue()).contains(bucket);
        assertThat(entry.getString("thread").getValue()).isNotEmpty();
        assertThat(entry.getNumber("time").longValue()).isBetween(before - 5, System.currentTimeMillis() + 5);
        assertThat(entry.isNull("stackTrace")).isTrue();
        String next = answer.object().getString("after").getValue();
        assertThat(entries(logs("contains=" + dropped(bucket) + "&after=" + next)))
                .isEmpty();
    }

    @Test
    void line_ofAnEntry_hasItsTimeAndLevel() throws InterruptedException {
        String bucket = drop();

        String line = lineWith("[" + bucket + "]");

        assertThat(line)
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z INFO  \\[[^]]+] SchemaRegistry: .*");
    }

    @Test
    void entries_belowALevel_areLeftOut() {
        String bucket = drop();

        assertThat(entries(logs("level=info&contains=" + dropped(bucket)))).hasSize(1);
        assertThat(entries(logs("level=warn&contains=" + dropped(bucket)))).isEmpty();
    }

    @Test
    void log_afterLogIns_containsNoSecret() {
        BsonDocument all = logs("limit=1000");

        assertThat(all.toString()).doesNotContain(Backend.ROOT_PASSWORD);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "level=loud",
                "level=INFO",
                "limit=0",
                "limit=1001",
                "limit=-1",
                "limit=x",
                "after=7",
                "after=x.7",
                "after=ab.-1",
                "after=ab.99999999999999999999"
            })
    void request_withABadParameter_is400(String parameters) {
        assertThat(backend.root().get("/-/logs?" + parameters).status()).isEqualTo(400);
    }

    @Test
    void request_forALongText_is400() {
        assertThat(backend.root().get("/-/logs?contains=" + "x".repeat(201)).status())
                .isEqualTo(400);
        assertThat(backend.root().get("/-/logs?contains=" + "x".repeat(200)).status())
                .isEqualTo(200);
    }

    @Test
    void position_inAnotherLog_leadsToTheNewest() {
        String bucket = drop();

        BsonDocument page = logs("contains=" + dropped(bucket) + "&after=0.999999999");

        assertThat(entries(page)).hasSize(1);
        assertThat(page.getNumber("lost").longValue()).isZero();
    }

    /** Has the server log a message with a unique name. */
    private String drop() {
        String bucket = backend.newClass("n", "Integer");
        assertThat(backend.root().delete("/schema/" + bucket).status() / 100).isEqualTo(2);
        return bucket;
    }

    private static String dropped(String bucket) {
        return Client.encode("[" + bucket + "]");
    }

    /** Another thread reads the output of the process. */
    private String lineWith(String text) {
        Waiting.until("logged: " + text, () -> findLine(text).isPresent());
        return findLine(text).orElseThrow();
    }

    private Optional<String> findLine(String text) {
        return backend.server()
                .command()
                .errors()
                .lines()
                .filter(each -> each.contains(text))
                .findFirst();
    }

    private BsonDocument logs(String parameters) {
        Answer answer = backend.root().get("/-/logs?" + parameters);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.object();
    }

    private static List<BsonDocument> entries(BsonDocument page) {
        return page.getArray("entries").stream().map(BsonValue::asDocument).toList();
    }

    private static BsonDocument only(List<BsonDocument> entries) {
        assertThat(entries).hasSize(1);
        return entries.get(0);
    }
}
