package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of protocol §8.3, and every spelling of a condition that clients and proxies use (§1.3). */
@ExtendWith(SharedBackend.class)
final class ConditionalRequestsTest {

    private final Backend backend;
    private final Client client;
    private String bucket = "";

    /** An object at version 2. */
    private String there = "";

    /** The id of no object. */
    private String missing = "";

    ConditionalRequestsTest(Backend backend) {
        this.backend = backend;
        this.client = backend.anonymous();
    }

    @BeforeEach
    void createObject() {
        bucket = backend.newClass("text", "String");
        there = client.insert(bucket, "{\"text\":\"a\"}");
        client.update(there, "{\"text\":\"b\"}");
        missing = "/db/" + bucket + "/missing";
    }

    @ParameterizedTest(name = "{0} with {1}: {2} without an object, {3} if it matches, {4} if not")
    @CsvSource({
        "PUT, version, 412, 200, 412",
        "PUT, *, 412, 200, 200",
        "PUT, none, 200, 200, 200",
        "DELETE, version, 412, 204, 412",
        "DELETE, *, 412, 204, 204",
        "DELETE, none, 204, 204, 204",
    })
    void write_answersAsTheTableSays(String method, String condition, int without, int matching, int differing) {
        assertThat(write(method, missing, condition, 2)).isEqualTo(without);
        assertThat(write(method, there, condition, 1)).isEqualTo(differing);
        if (differing == 412) {
            assertThat(write(method, there, condition, 2)).isEqualTo(matching);
        } else {
            String other = client.insert(bucket, "{\"text\":\"a\"}");
            assertThat(write(method, other, condition, 1)).isEqualTo(matching);
        }
    }

    private int write(String method, String id, String condition, int version) {
        String[] headers =
                switch (condition) {
                    case "none" -> new String[0];
                    case "version" -> new String[] {"If-Match", "\"" + version + "\""};
                    default -> new String[] {"If-Match", condition};
                };
        return method.equals("PUT")
                ? client.put(id, "{\"text\":\"c\"}", headers).status()
                : client.delete(id, headers).status();
    }

    @Test
    void insert_answers201Then409() {
        String body = "{\"id\":\"" + missing + "\",\"text\":\"a\"}";

        assertThat(client.post("/db/" + bucket, body).status()).isEqualTo(201);
        assertThat(client.post("/db/" + bucket, body).status()).isEqualTo(409);
        assertThat(client.get(missing).object().getNumber("version").intValue()).isEqualTo(1);
    }

    @Test
    void refusedWrite_saysThatTheObjectIsOutOfDateAndChangesNothing() {
        String before = client.get(there).text();

        Answer refused = client.put(there, "{\"text\":\"c\"}", "If-Match", "\"1\"");

        assertThat(refused.object().getString("message").getValue()).contains("is out of date");
        assertThat(refused.object().getString("className").getValue()).isEqualTo("ObjectOutOfDate");
        assertThat(client.get(there).text()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"2\"", "2", "W/\"2\"", "\"2--gzip\"", "W/\"2--br\"", " \"2\" "})
    void update_everySpellingOfTheVersion_isAccepted(String etag) {
        assertThat(client.put(there, "{\"text\":\"c\"}", "If-Match", etag).status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"1\"", "1", "W/\"1\"", "\"1--gzip\"", "\"22\"", "\"999999999999999999\""})
    void update_everySpellingOfAnotherVersion_is412(String etag) {
        assertThat(client.put(there, "{\"text\":\"c\"}", "If-Match", etag).status())
                .isEqualTo(412);
    }

    @ParameterizedTest
    @ValueSource(strings = {"two", "\"two\"", "-1", "\"1\", \"2\"", "99999999999999999999"})
    void update_conditionThatIsNoVersion_neverOverwrites(String etag) {
        assertThat(client.put(there, "{\"text\":\"c\"}", "If-Match", etag).status())
                .isIn(400, 412);
        assertThat(client.get(there).object().getNumber("version").intValue()).isEqualTo(2);
    }

    @Test
    void writes_answerWithTheWholeObjectAndItsVersionAsEtag() {
        Answer inserted = client.post("/db/" + bucket, "{\"text\":\"a\"}");
        String id = inserted.object().getString("id").getValue();
        Answer updated = client.put(id, "{\"text\":\"b\",\"version\":77,\"createdAt\":null}");

        assertThat(inserted.header("etag")).hasValue("\"1\"");
        assertThat(updated.header("etag")).hasValue("\"2\"");
        assertThat(updated.header("cache-control")).hasValue("no-store");
        assertThat(updated.object().keySet()).contains("id", "version", "acl", "createdAt", "updatedAt", "text");
        assertThat(updated.object().get("createdAt"))
                .isEqualTo(inserted.object().get("createdAt"));
        assertThat(updatedAt(updated)).isAfter(updatedAt(inserted));
    }

    private static Instant updatedAt(Answer answer) {
        return Instant.parse(answer.object().getString("updatedAt").getValue());
    }

    @Test
    void insertAfterDelete_startsAtVersion1() {
        client.remove(there);

        assertThat(client.update(there, "{\"text\":\"again\"}").header("etag")).hasValue("\"1\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"2\"", "W/\"2\"", "\"2--gzip\"", "\"1\", \"2\""})
    void load_copyIsCurrent_is304WithoutBody(String etag) {
        Answer answer = client.get(there, "If-None-Match", etag);

        assertThat(answer.status()).isEqualTo(304);
        assertThat(answer.text()).isEmpty();
        assertThat(answer.header("etag")).hasValue("\"2\"");
    }

    /** What browsers send to get past caches: it means nothing (protocol §20, pitfall 8). */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"If-Match | \"\"", "If-None-Match | \"-\"", "If-None-Match | \"1\"", "If-Match | \"1\""})
    void load_conditionThatMeansNothing_is200(String header, String value) {
        for (int i = 0; i < 3; i++) {
            Answer answer = client.get(there, header, value);

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.object().getString("text").getValue()).isEqualTo("b");
        }
    }

    @Test
    void load_cacheBusterAndNoCacheTogether_is200() {
        Answer answer =
                client.get(there, "If-Match", "\"\"", "If-None-Match", "\"-\"", "Cache-Control", "max-age=0, no-cache");

        assertThat(answer.status()).isEqualTo(200);
    }

    @Test
    void load_missingObject_is404WhateverTheCondition() {
        assertThat(client.get(missing).status()).isEqualTo(404);
        assertThat(client.get(missing, "If-None-Match", "\"1\"").status()).isEqualTo(404);
        assertThat(client.get(missing, "Cache-Control", "no-cache").status()).isEqualTo(404);
    }

    @Test
    void query_copyIsCurrent_is304() {
        Answer first = client.query(bucket, "{}");

        Answer second =
                client.query(bucket, "{}", "If-None-Match", first.header("etag").orElseThrow());

        assertThat(second.status()).isEqualTo(304);
        client.update(there, "{\"text\":\"c\"}");
        assertThat(client.query(
                                bucket,
                                "{}",
                                "If-None-Match",
                                first.header("etag").orElseThrow())
                        .status())
                .isEqualTo(200);
    }

    @Test
    void concurrentWritersWithOneVersion_exactlyOneWins() {
        List<CompletableFuture<Integer>> writers = IntStream.range(0, 12)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> client.put(there, "{\"text\":\"w" + i + "\"}", "If-Match", "\"2\"")
                                .status()))
                .toList();

        List<Integer> statuses = writers.stream().map(CompletableFuture::join).toList();

        assertThat(statuses).containsOnly(200, 412).containsOnlyOnce(200);
        assertThat(client.get(there, "Cache-Control", "no-cache").header("etag"))
                .hasValue("\"3\"");
    }
}
