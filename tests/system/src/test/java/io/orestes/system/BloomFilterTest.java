package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The filter that clients load contains exactly the keys that changed while caches may have them
 * (protocol §13).
 */
@ExtendWith(SharedBackend.class)
final class BloomFilterTest {

    private final Backend backend;
    private final Client client;
    private String bucket = "";

    BloomFilterTest(Backend backend) {
        this.backend = backend;
        this.client = backend.anonymous();
    }

    @BeforeEach
    void createClass() {
        bucket = backend.newClass("text", "String");
    }

    private BloomFilterReader filter() {
        return new BloomFilterReader(client.get("/bloomfilter", "Cache-Control", "max-age=0, no-cache")
                .object());
    }

    private String insertAndLoad(String key) {
        String id = client.insert(bucket, "{\"id\":\"/db/%s/%s\",\"text\":\"a\"}".formatted(bucket, key));
        assertThat(client.get(id).status()).isEqualTo(200);
        return id;
    }

    /** The table of the protocol: this reader has to be right before it can judge the server. */
    @ParameterizedTest
    @CsvSource({
        "'', 0, 0",
        "a, 1009084850, 2302015384",
        "/db/Person/1, 1513531539, 856997590",
        "/db/Message/5f0c1d9e-7a42-4c1b-9b0e-3d2a6f8e1c77, 3615541551, 3185641501",
        "/db/Person/a%20b%2Fc, 2831986334, 889984760",
        "/file/www/Grüße.txt, 2056898161, 432809296",
        "/file/www/日本.txt, 3638299789, 761493951"
    })
    void reader_hashesLikeTheProtocol(String text, long first, long second) {
        assertThat(Integer.toUnsignedLong(BloomFilterReader.murmur3(text, 0))).isEqualTo(first);
        assertThat(Integer.toUnsignedLong(BloomFilterReader.murmur3(text, (int) first)))
                .isEqualTo(second);
    }

    @Test
    void reader_readsTheExampleOfTheProtocol() {
        BloomFilterReader example =
                new BloomFilterReader(BsonDocument.parse("{\"m\":64,\"h\":3,\"b\":\"AAgIAAICIIA=\"}"));

        assertThat(example.contains("/db/Person/1")).isTrue();
        assertThat(example.contains("/file/www/index.html")).isTrue();
        assertThat(example.contains("/db/Person/2")).isFalse();
    }

    @Test
    void filter_objectUpdatedAfterALoad_isInIt() {
        String id = insertAndLoad("a%20b");
        assertThat(filter().contains(id)).isFalse();

        client.update(id, "{\"text\":\"b\"}");

        assertThat(filter().contains(id)).isTrue();
    }

    @Test
    void filter_objectDeletedAfterALoad_isInIt() {
        String id = insertAndLoad("deleted");

        client.remove(id);

        assertThat(filter().contains(id)).isTrue();
    }

    @Test
    void filter_objectNeverUpdated_isNotInIt() {
        String id = insertAndLoad("quiet");
        String other = insertAndLoad("busy");

        client.update(other, "{\"text\":\"b\"}");

        assertThat(filter().contains(id)).isFalse();
    }

    @Test
    void filter_objectWithoutCopies_isNotInIt() {
        String id = client.insert(bucket, "{\"text\":\"a\"}");

        client.update(id, "{\"text\":\"b\"}");
        client.update(id, "{\"text\":\"c\"}");

        assertThat(filter().contains(id)).isFalse();
    }

    @Test
    void filter_classGotAFieldAfterALoad_containsItsObjectsAndQueriesOnly() {
        String id = client.insert(bucket, "{\"text\":\"a\"}");
        String other = backend.newClass("text", "String");
        String otherId = client.insert(other, "{\"text\":\"a\"}");
        assertThat(client.get(id).status()).isEqualTo(200);
        assertThat(client.get(otherId).status()).isEqualTo(200);

        addField(bucket);

        assertThat(filter().contains(id)).isTrue();
        assertThat(filter().contains(otherId)).isFalse();
    }

    private void addField(String toClass) {
        String change = "{\"operation\":\"addField\",\"bucket\":\"/db/%s\",\"field\":{\"name\":\"more\","
                + "\"type\":\"/db/String\"}}";
        assertThat(backend.root().post("/schema", change.formatted(toClass)).status())
                .isEqualTo(200);
    }

    /** A result has one key, in whatever spelling it was requested (protocol §13.4). */
    @Test
    void filter_queryResultChanged_isInItUnderItsCanonicalKeyOnly() {
        client.insert(bucket, "{\"text\":\"a\"}");
        String spelling = "/db/" + bucket + "/query?sort=%7B%7D&q="
                + Client.encode("{ \"text\": \"a\", \"id\": {\"$exists\": true} }") + "&start=0";
        String canonical = "/db/" + bucket + "/query?q=" + Client.encode("{\"id\":{\"$exists\":true},\"text\":\"a\"}");
        assertThat(client.get(spelling).array()).hasSize(1);

        client.insert(bucket, "{\"text\":\"a\"}");

        assertThat(filter().contains(canonical)).isTrue();
        assertThat(filter().contains(spelling)).isFalse();
        assertThat(backend.root().get("/bloomfilter/expirations").object()).containsKey(canonical);
    }

    @Test
    void filter_inConnect_isEqual() {
        String id = insertAndLoad("connect");
        client.update(id, "{\"text\":\"b\"}");

        BsonDocument handshake = client.get("/connect").object();

        assertThat(new BloomFilterReader(handshake.getDocument("bloomFilter")).contains(id))
                .isTrue();
    }

    @Test
    void filter_isCachedOnlyBrieflyAndIsRevalidated() {
        Answer answer = client.get("/bloomfilter?rules=false");

        assertThat(answer.header("cache-control"))
                .hasValueSatisfying(
                        control -> assertThat(control).contains("max-age=0").containsPattern("s-maxage=[01]\\b"));
        assertThat(client.get(
                                "/bloomfilter",
                                "If-None-Match",
                                answer.header("etag").orElseThrow())
                        .status())
                .isEqualTo(304);
    }

    @Test
    void filter_requestedWithNoCache_isNotCached() {
        assertThat(client.get("/bloomfilter?BCB").header("cache-control")).hasValue("no-store");
    }

    @Test
    void filter_withoutPurgedCaches_hasNoPurgeLag() {
        assertThat(client.get("/bloomfilter").header("orestes-purge-lag")).hasValue("unknown");
    }

    @Test
    void write_reportsWhetherItChangedCachedResults() {
        String id = insertAndLoad("a");
        String query = "/db/" + bucket + "/query?q=" + Client.encode("{\"text\":\"a\"}");
        assertThat(client.get(query).ids()).containsExactly(id);

        Answer left = client.put(id, "{\"text\":\"b\"}");
        Answer beside = client.put(id, "{\"text\":\"c\"}");

        assertThat(left.header("orestes-results-kept")).isEmpty();
        assertThat(beside.header("orestes-results-kept"))
                .hasValueSatisfying(seconds -> assertThat(seconds).containsOnlyDigits());
    }

    @Test
    void expirations_areForAdminsAndHaveEndTimes() {
        String id = insertAndLoad("expiring");
        client.update(id, "{\"text\":\"b\"}");

        assertThat(client.get("/bloomfilter/expirations").status()).isEqualTo(466);
        BsonDocument expirations =
                backend.root().get("/bloomfilter/expirations").object();
        assertThat(expirations.getNumber(id).longValue()).isGreaterThan(System.currentTimeMillis());
    }

    @Test
    void reset_isForAdminsAndEmptiesTheFilter() {
        String id = insertAndLoad("reset");
        client.update(id, "{\"text\":\"b\"}");

        assertThat(client.delete("/bloomfilter").status()).isEqualTo(466);
        assertThat(filter().contains(id)).isTrue();
        assertThat(backend.root().delete("/bloomfilter").status()).isEqualTo(204);
        assertThat(filter().contains(id)).isFalse();
    }
}
