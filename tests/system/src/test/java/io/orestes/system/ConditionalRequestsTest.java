package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
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
        assertThat(version(client.get(missing))).isEqualTo(1);
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
    @ValueSource(strings = {"\"%s\"", "%s", "W/\"%s\"", "\"%s--gzip\"", "W/\"%s--br\"", " \"%s\" "})
    void update_everySpellingOfTheTag_isAccepted(String spelling) {
        String etag = spelling.formatted(tag(client.get(there)));

        assertThat(client.put(there, "{\"text\":\"c\"}", "If-Match", etag).status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"1\"", "1", "W/\"1\"", "\"1--gzip\"", "\"22\"", "\"999999999999999999\"", "\"0--gzip\""})
    void update_everySpellingOfAnotherVersion_is412(String etag) {
        assertThat(client.put(there, "{\"text\":\"c\"}", "If-Match", etag).status())
                .isEqualTo(412);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "two",
                "\"two\"",
                "-1",
                "*, \"1\"",
                "\"1\", \"two\"",
                "99999999999999999999",
                "\"2",
                "2\"",
                "\"",
                "\"2--\"",
                "\"2--a_\"",
                "\"2--A_B\""
            })
    void update_malformedCondition_is400AndNeverOverwrites(String etag) {
        assertThat(client.put(there, "{\"text\":\"c\"}", "If-Match", etag).status())
                .isEqualTo(400);
        assertThat(version(client.get(there))).isEqualTo(2);
    }

    /** A list matches if one of its members does (RFC 9110 §13.1.1); several lines are one list (§5.3). */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"1\", \"2\" |         | 200",
                "\"2\",\"1\"  |         | 200",
                "\"1\"          | \"2\" | 200",
                "\"2\"          | \"0\" | 200",
                "\"\", \"2\"  |         | 200",
                "\"1\", \"3\" |         | 412",
                "\"1\"          | \"3\" | 412",
                "\"0\"          | \"\"  | 412",
                "\"2\"          | two     | 400",
                "\"2\"          | *       | 400",
            })
    void update_severalTags_areOneList(String first, String second, int status) {
        String[] headers = second == null
                ? new String[] {"If-Match", first}
                : new String[] {"If-Match", first, "If-Match", second};

        assertThat(client.put(there, "{\"text\":\"c\"}", headers).status()).isEqualTo(status);
    }

    @Test
    void load_severalLinesOfTags_areOneList() {
        String current = "\"" + tag(client.get(there)) + "\"";

        for (int i = 0; i < 2; i++) {
            assertThat(client.get(there, "If-None-Match", "\"x\"", "If-None-Match", current)
                            .status())
                    .isEqualTo(304);
        }
    }

    /** RFC 9110 §13.1.2: the replace goes ahead unless the object has one of these tags. */
    @ParameterizedTest
    @ValueSource(strings = {"\"2\"", "2", "W/\"2\"", "\"2--gzip\"", "\"1\", \"2\"", "*", "\"%s\"", "W/\"%s\", \"x\""})
    void replace_ifNoneMatchOfWhatIsThere_is412(String condition) {
        String tags = condition.formatted(tag(client.get(there)));

        Answer refused = client.put(there, "{\"text\":\"c\"}", "If-None-Match", tags);

        assertThat(refused.status()).isEqualTo(412);
        assertThat(version(client.get(there))).isEqualTo(2);
        assertThat(client.put(missing, "{\"text\":\"c\"}", "If-None-Match", tags)
                        .status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"1\"", "\"-\"", "\"\"", "\"0\"", "nonsense", "\"1\", \"3\"", "\"2--1_a\""})
    void replace_ifNoneMatchOfAnythingElse_goesAhead(String tags) {
        assertThat(client.put(there, "{\"text\":\"c\"}", "If-None-Match", tags).status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"\"2\" | \"1\" | 200", "\"2\" | \"2\" | 412", "\"1\" | \"1\" | 412", "* | * | 412"})
    void replace_bothConditions_bothHaveToHold(String ifMatch, String ifNoneMatch, int status) {
        assertThat(client.put(there, "{\"text\":\"c\"}", "If-Match", ifMatch, "If-None-Match", ifNoneMatch)
                        .status())
                .isEqualTo(status);
    }

    @Test
    void writes_answerWithTheWholeObjectAndTheTagThatLoadsHave() {
        Answer inserted = client.post("/db/" + bucket, "{\"text\":\"a\"}");
        String id = inserted.object().getString("id").getValue();
        Answer loaded = client.get(id);
        Answer updated = client.put(id, "{\"text\":\"b\",\"version\":77,\"createdAt\":null}");

        assertThat(inserted.header("etag").orElseThrow()).matches("\"1--[0-9a-z]+_[0-9a-z]+\"");
        assertThat(loaded.header("etag")).isEqualTo(inserted.header("etag"));
        assertThat(updated.header("etag").orElseThrow()).matches("\"2--[0-9a-z]+_[0-9a-z]+\"");
        assertThat(client.get(id).header("etag")).isEqualTo(updated.header("etag"));
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

        assertThat(version(client.update(there, "{\"text\":\"again\"}"))).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\"%s\"", "%s", "W/\"%s\"", "\"%s--gzip\"", "W/\"%s--br\"", "\"1\", \"%s\"", "\"x\",W/\"%s\""})
    void load_copyIsCurrent_is304WithoutBody(String spelling) {
        Answer current = client.get(there);

        for (int i = 0; i < 2; i++) {
            Answer answer = client.get(there, "If-None-Match", spelling.formatted(tag(current)));

            assertThat(answer.status()).isEqualTo(304);
            assertThat(answer.text()).isEmpty();
            assertThat(answer.header("etag")).isEqualTo(current.header("etag"));
        }
    }

    /** All that clients know of an object is its version (protocol §8.3). */
    @ParameterizedTest
    @ValueSource(strings = {"\"2\"", "2", "W/\"2\"", "\"2--gzip\"", "\"1\", \"2\""})
    void load_versionIsCurrent_is304UntilTheNextWrite(String version) {
        for (int i = 0; i < 2; i++) {
            assertThat(client.get(there, "If-None-Match", version).status()).isEqualTo(304);
        }

        client.update(there, "{\"text\":\"c\"}");

        for (int i = 0; i < 2; i++) {
            assertThat(client.get(there, "If-None-Match", version)
                            .object()
                            .getString("text")
                            .getValue())
                    .isEqualTo("c");
        }
    }

    /** What else is in such an answer has versions of its own. */
    @Test
    void load_versionWithDepth_confirmsNothing() {
        assertThat(client.get(there + "?depth=1", "If-None-Match", "\"2\"").status())
                .isEqualTo(200);
        assertThat(client.get(there + "?depth=0", "If-None-Match", "\"2\"").status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"%s", "%s\"", "\"%s--\"", "\"%sa\"", "\"%s--a_b\"", "\"%s--gzip"})
    void load_almostTheTag_is200(String spelling) {
        String etag = spelling.formatted(tag(client.get(there)));

        assertThat(client.get(there, "If-None-Match", etag).status()).isEqualTo(200);
    }

    /** What browsers send to get past caches: it means nothing (protocol §20, pitfall 8). */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "If-Match | \"\"",
                "If-None-Match | \"-\"",
                "If-None-Match | \"1\"",
                "If-None-Match | \"02\"",
                "If-None-Match | \"2--\"",
                "If-None-Match | \"22\"",
                "If-None-Match | \"*\"",
                "If-None-Match | \"\"",
                "If-Match | \"1\"",
                "If-Match | \"2"
            })
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
        assertThat(version(client.get(there, "Cache-Control", "no-cache"))).isEqualTo(3);
    }

    /** What stands between the quotes. */
    private static String tag(Answer answer) {
        return answer.header("etag").orElseThrow().replace("\"", "");
    }

    private static int version(Answer answer) {
        return answer.object().getNumber("version").intValue();
    }
}
