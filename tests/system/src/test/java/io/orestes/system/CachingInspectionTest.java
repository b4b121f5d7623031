package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code /-/caching}: what admins see of caches, and what they can evict. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class CachingInspectionTest {

    /** A server of its own: other tests' reads would be among the busiest keys. */
    private final Backend backend = Backend.start();

    private final Client client = backend.anonymous();
    private final Client root = backend.root();
    private final String bucket = backend.newClass("text", "String");

    @AfterAll
    void close() {
        backend.close();
    }

    @Test
    void state_afterReads_countsThemBySource() {
        String id = client.insert(bucket, "{\"text\":\"a\"}");
        BsonDocument before = state().getDocument("reads");
        String etag = client.get(id).header("etag").orElseThrow();

        read(id);
        read(id, "If-None-Match", etag);
        read(id, "Cache-Control", "no-cache");

        BsonDocument after = state().getDocument("reads");
        assertThat(more(before, after, "miss", "full")).isPositive();
        assertThat(more(before, after, "hit", "full")).isPositive();
        assertThat(more(before, after, "hit", "unchanged")).isPositive();
        assertThat(more(before, after, "bypass", "full")).isPositive();
    }

    @Test
    void state_hasFilterLifetimesAndTargets() {
        String id = client.insert(bucket, "{\"text\":\"a\"}");
        read(id);
        client.update(id, "{\"text\":\"b\"}");
        read(id);

        BsonDocument state = state();

        BsonDocument filter = state.getDocument("filter");
        assertThat(filter.getNumber("stale").longValue()).isPositive();
        assertThat(filter.getNumber("fill").doubleValue()).isPositive();
        assertThat(filter.getNumber("falsePositives").doubleValue()).isBetween(0.0, 1.0);
        assertThat(state.getArray("lifetimes")
                        .get(0)
                        .asDocument()
                        .getNumber("changed")
                        .longValue())
                .isPositive();
        assertThat(state.getDocument("purges").getArray("targets")).isEmpty();
    }

    @Test
    void state_afterReadsOfOneKey_hasItsHitsMissesAndInvalidations() {
        String id = client.insert(bucket, "{\"text\":\"a\"}");
        String query = "/db/" + bucket + "/query?q=" + Client.encode("{\"text\":\"a\"}");
        for (int i = 0; i < 300; i++) {
            read(id);
            read(query);
        }
        read(id, "Cache-Control", "no-cache");
        assertThat(busy(id).getDocument("copy").getNumber("bytes").longValue()).isPositive();

        client.update(id, "{\"text\":\"b\"}");

        BsonDocument object = busy(id);
        assertThat(object.getNumber("misses").longValue()).isEqualTo(2);
        assertThat(object.getNumber("hits").longValue()).isEqualTo(299);
        assertThat(object.getNumber("invalidations").longValue()).isOne();
        assertThat(object.isNull("copy")).isTrue();
        assertThat(object.getNumber("since").longValue()).isBetween(1L, System.currentTimeMillis());
        BsonDocument result = busy(query);
        assertThat(result.getNumber("misses").longValue()
                        + result.getNumber("hits").longValue())
                .isEqualTo(300);
        assertThat(result.getNumber("hits").longValue()).isGreaterThan(250);
        assertThat(result.getNumber("invalidations").longValue()).isOne();
        assertThat(state().getArray("busiest")).hasSizeLessThanOrEqualTo(20);
    }

    @Test
    void entry_ofAnObjectThatWasRead_hasItsCopyAndItsExpiry() {
        String id = client.insert(bucket, "{\"text\":\"a\"}");
        assertThat(entry("/v1" + id).get("copy")).isEqualTo(BsonNull.VALUE);
        String etag = client.get(id).header("etag").orElseThrow();

        BsonDocument entry = entry("http://127.0.0.1:8080/v1" + id);

        assertThat(entry.getString("key").getValue()).isEqualTo(id);
        assertThat(entry.getDocument("copy").getString("etag").getValue()).isEqualTo(etag);
        assertThat(entry.getDocument("copy").getNumber("version").longValue()).isOne();
        assertThat(entry.getNumber("heldUntil").longValue()).isGreaterThan(System.currentTimeMillis());
        assertThat(entry.getBoolean("inFilter").getValue()).isFalse();

        client.update(id, "{\"text\":\"b\"}");

        assertThat(entry(id).getBoolean("inFilter").getValue()).isTrue();
        assertThat(entry(id).getNumber("staleUntil")).isEqualTo(entry.getNumber("heldUntil"));
    }

    @Test
    void entry_ofAQueryInAnySpelling_isThatOfItsCanonicalKey() {
        client.insert(bucket, "{\"text\":\"a\"}");
        String spelling = "/db/" + bucket + "/query?start=0&q=" + Client.encode("{ \"text\": \"a\" }");
        read(spelling);

        BsonDocument entry = entry("/v1" + spelling);

        assertThat(entry.getString("key").getValue())
                .isEqualTo("/db/" + bucket + "/query?q=" + Client.encode("{\"text\":\"a\"}"));
        assertThat(entry.isDocument("copy")).isTrue();
        assertThat(entry.getDocument("copy").isNull("version")).isTrue();
    }

    @Test
    void purge_ofAnObject_evictsItAndClientsBypassCopies() {
        String id = client.insert(bucket, "{\"text\":\"a\"}");
        read(id);
        assertThat(client.get(id).header("orestes-cache")).hasValue("hit");

        assertThat(root.delete("/-/caching/entry?url=" + Client.encode("/v1" + id))
                        .status())
                .isEqualTo(204);

        assertThat(entry(id).isNull("copy")).isTrue();
        assertThat(entry(id).getBoolean("inFilter").getValue()).isTrue();
        assertThat(client.get(id).header("orestes-cache")).hasValue("miss");
        assertThat(client.get(id).object().getString("text").getValue()).isEqualTo("a");
    }

    @Test
    void purge_ofEverything_evictsQueriesToo() {
        client.insert(bucket, "{\"text\":\"purged\"}");
        String query = "/db/" + bucket + "/query?q=" + Client.encode("{\"text\":\"purged\"}");
        read(query);

        assertThat(root.delete("/-/caching").status()).isEqualTo(204);

        assertThat(entry(query).isNull("copy")).isTrue();
        assertThat(entry(query).getBoolean("inFilter").getValue()).isTrue();
        assertThat(client.get(query).array()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "/",
                "/v1/schema",
                "/v1/db/CLASS",
                "/v1/db/CLASS/",
                "/v1/db/CLASS/count",
                "/v1/db/CLASS/ids",
                "/v1/db/CLASS/a/b",
                "/v1/db/CLASS/%",
                "/v1/db/CLASS/a?depth=1",
                "/v1/db/CLASS/query?q=%7B%7D&eager=false",
                "/v1/db/CLASS/query?polymorphic=true",
                "/v1/db/CLASS/query?aggregate=%7B%7D",
                "/v1/db/CLASS/query?start=-1",
                "/v1/db/CLASS/query?count=x",
                "/v1/db/CLASS/query?ids=maybe",
                "/v1/db/CLASS/query?q=%zz",
                "/v1/db/CLASS/../../schema",
                "javascript:alert(1)",
                "http://example.com"
            })
    void entry_ofAnUncacheableUrl_is400(String url) {
        String asked = "/-/caching/entry?url=" + Client.encode(url.replace("CLASS", bucket));

        assertThat(root.get(asked).status()).isEqualTo(400);
        assertThat(root.delete(asked).status()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource({"/v1/db/Nowhere/a, 461", "/v1/db/_users/a, 461", "/v1/db/CLASS/query?q=%7B, 471"})
    void entry_ofAnInvalidUrl_hasTheErrorOfItsRequest(String url, int status) {
        assertThat(root.get("/-/caching/entry?url=" + Client.encode(url.replace("CLASS", bucket)))
                        .status())
                .isEqualTo(status);
    }

    @Test
    void entry_withoutUrl_is400() {
        assertThat(root.get("/-/caching/entry").status()).isEqualTo(400);
    }

    /** Reads a path, so that a copy is made or used. */
    private void read(String path, String... headers) {
        assertThat(client.get(path, headers).status()).isIn(200, 304);
    }

    private BsonDocument state() {
        Answer answer = root.get("/-/caching");
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.object();
    }

    private BsonDocument busy(String key) {
        return state().getArray("busiest").stream()
                .map(BsonValue::asDocument)
                .filter(usage -> usage.getString("key").getValue().equals(key))
                .findFirst()
                .orElseThrow();
    }

    private BsonDocument entry(String url) {
        Answer answer = root.get("/-/caching/entry?url=" + Client.encode(url));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.object();
    }

    private static long more(BsonDocument before, BsonDocument after, String source, String kind) {
        return after.getDocument(source).getNumber(kind).longValue()
                - before.getDocument(source).getNumber(kind).longValue();
    }
}
