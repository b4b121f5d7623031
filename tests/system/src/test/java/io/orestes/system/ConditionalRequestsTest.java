package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.notNullValue;

import io.orestes.support.http.Client;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
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

/**
 * The table of protocol §8.3, and every spelling of a condition that clients and proxies use
 * (§1.3).
 */
@ExtendWith(SharedBackend.class)
final class ConditionalRequestsTest {

    private final Backend backend;
    private final Client client;
    private String bucket = "";

    /** Id of an object at version 2. */
    private String there = "";

    /** Id of no object. */
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
    void write_hasTheAnswerOfTheTable(String method, String condition, int without, int matching, int differing) {
        write(method, missing, condition, 2).then().statusCode(without);
        write(method, there, condition, 1).then().statusCode(differing);
        if (differing == 412) {
            write(method, there, condition, 2).then().statusCode(matching);
        } else {
            String other = client.insert(bucket, "{\"text\":\"a\"}");
            write(method, other, condition, 1).then().statusCode(matching);
        }
    }

    private Response write(String method, String id, String condition, int version) {
        RequestSpecification request = client.given();
        switch (condition) {
            case "none" -> {}
            case "version" -> request.header("If-Match", "\"" + version + "\"");
            default -> request.header("If-Match", condition);
        }
        if (method.equals("PUT")) {
            request.body("{\"text\":\"c\"}");
        }
        return request.when().request(method, id);
    }

    @Test
    void insert_answers201Then409() {
        String body = "{\"id\":\"" + missing + "\",\"text\":\"a\"}";

        client.given().body(body).when().post("/db/" + bucket).then().statusCode(201);
        client.given().body(body).when().post("/db/" + bucket).then().statusCode(409);
        client.given().when().get(missing).then().body("version", equalTo(1));
    }

    @Test
    void refusedWrite_isOutOfDateAndChangesNothing() {
        String before = client.given().when().get(there).asString();

        Response refused = client.given()
                .body("{\"text\":\"c\"}")
                .header("If-Match", "\"1\"")
                .when()
                .put(there);

        refused.then().body("message", containsString("is out of date")).body("className", equalTo("ObjectOutOfDate"));
        client.given().when().get(there).then().body(equalTo(before));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"2\"", "2", "W/\"2\"", "\"2--gzip\"", "W/\"2--br\"", " \"2\" "})
    void update_everySpellingOfTheVersion_isAccepted(String etag) {
        client.given()
                .body("{\"text\":\"c\"}")
                .header("If-Match", etag)
                .when()
                .put(there)
                .then()
                .statusCode(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"%s\"", "%s", "W/\"%s\"", "\"%s--gzip\"", "W/\"%s--br\"", " \"%s\" "})
    void update_everySpellingOfTheTag_isAccepted(String spelling) {
        String etag = spelling.formatted(tag(client.given().when().get(there)));

        client.given()
                .body("{\"text\":\"c\"}")
                .header("If-Match", etag)
                .when()
                .put(there)
                .then()
                .statusCode(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"1\"", "1", "W/\"1\"", "\"1--gzip\"", "\"22\"", "\"999999999999999999\"", "\"0--gzip\""})
    void update_everySpellingOfAnotherVersion_is412(String etag) {
        client.given()
                .body("{\"text\":\"c\"}")
                .header("If-Match", etag)
                .when()
                .put(there)
                .then()
                .statusCode(412);
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
        client.given()
                .body("{\"text\":\"c\"}")
                .header("If-Match", etag)
                .when()
                .put(there)
                .then()
                .statusCode(400);
        client.given().when().get(there).then().body("version", equalTo(2));
    }

    /**
     * A list matches if one of its members does (RFC 9110 §13.1.1); several lines are one list
     * (§5.3).
     */
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
        RequestSpecification request = client.given().header("If-Match", first);
        if (second != null) {
            request.header("If-Match", second);
        }

        request.body("{\"text\":\"c\"}").when().put(there).then().statusCode(status);
    }

    @Test
    void load_severalLinesOfTags_areOneList() {
        String current = "\"" + tag(client.given().when().get(there)) + "\"";

        for (int i = 0; i < 2; i++) {
            client.given()
                    .header("If-None-Match", "\"x\"", current)
                    .when()
                    .get(there)
                    .then()
                    .statusCode(304);
        }
    }

    /** RFC 9110 §13.1.2: the replacement is done unless the object has one of these tags. */
    @ParameterizedTest
    @ValueSource(strings = {"\"2\"", "2", "W/\"2\"", "\"2--gzip\"", "\"1\", \"2\"", "*", "\"%s\"", "W/\"%s\", \"x\""})
    void replace_ifNoneMatchOfTheStoredTag_is412(String condition) {
        String tags = condition.formatted(tag(client.given().when().get(there)));

        Response refused = client.given()
                .body("{\"text\":\"c\"}")
                .header("If-None-Match", tags)
                .when()
                .put(there);

        refused.then().statusCode(412);
        client.given().when().get(there).then().body("version", equalTo(2));
        client.given()
                .body("{\"text\":\"c\"}")
                .header("If-None-Match", tags)
                .when()
                .put(missing)
                .then()
                .statusCode(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"1\"", "\"-\"", "\"\"", "\"0\"", "nonsense", "\"1\", \"3\"", "\"2--1_a\""})
    void replace_ifNoneMatchOfAnotherTag_isDone(String tags) {
        client.given()
                .body("{\"text\":\"c\"}")
                .header("If-None-Match", tags)
                .when()
                .put(there)
                .then()
                .statusCode(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"\"2\" | \"1\" | 200", "\"2\" | \"2\" | 412", "\"1\" | \"1\" | 412", "* | * | 412"})
    void replace_bothConditions_bothAreRequired(String ifMatch, String ifNoneMatch, int status) {
        client.given()
                .body("{\"text\":\"c\"}")
                .header("If-Match", ifMatch)
                .header("If-None-Match", ifNoneMatch)
                .when()
                .put(there)
                .then()
                .statusCode(status);
    }

    @Test
    void writes_answerWithTheWholeObjectAndItsEntityTag() {
        Response inserted = client.given().body("{\"text\":\"a\"}").when().post("/db/" + bucket);
        String id = inserted.path("id");
        Response loaded = client.given().when().get(id);
        Response updated = client.given()
                .body("{\"text\":\"b\",\"version\":77,\"createdAt\":null}")
                .when()
                .put(id);

        inserted.then().header("etag", matchesPattern("\"1--[0-9a-z]+_[0-9a-z]+\""));
        loaded.then().header("etag", inserted.header("etag"));
        updated.then().header("etag", matchesPattern("\"2--[0-9a-z]+_[0-9a-z]+\""));
        client.given().when().get(id).then().header("etag", updated.header("etag"));
        updated.then()
                .header("cache-control", "no-store")
                .body("keySet()", hasItems("id", "version", "acl", "createdAt", "updatedAt", "text"));
        updated.then().body("createdAt", equalTo(inserted.path("createdAt")));
        assertThat(updatedAt(updated)).isAfter(updatedAt(inserted));
    }

    private static Instant updatedAt(Response answer) {
        return Instant.parse(answer.path("updatedAt"));
    }

    @Test
    void insertAfterDelete_startsAtVersion1() {
        client.remove(there);

        client.given()
                .body("{\"text\":\"again\"}")
                .when()
                .put(there)
                .then()
                .statusCode(200)
                .body("version", equalTo(1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\"%s\"", "%s", "W/\"%s\"", "\"%s--gzip\"", "W/\"%s--br\"", "\"1\", \"%s\"", "\"x\",W/\"%s\""})
    void load_copyIsCurrent_is304WithoutBody(String spelling) {
        Response current = client.given().when().get(there);

        for (int i = 0; i < 2; i++) {
            Response answer = client.given()
                    .header("If-None-Match", spelling.formatted(tag(current)))
                    .when()
                    .get(there);

            answer.then().statusCode(304).body(is(emptyString()));
            answer.then().header("etag", current.header("etag"));
        }
    }

    /** Clients of this protocol know only the version of an object (protocol §8.3). */
    @ParameterizedTest
    @ValueSource(strings = {"\"2\"", "2", "W/\"2\"", "\"2--gzip\"", "\"1\", \"2\""})
    void load_versionIsCurrent_is304UntilTheNextWrite(String version) {
        for (int i = 0; i < 2; i++) {
            client.given()
                    .header("If-None-Match", version)
                    .when()
                    .get(there)
                    .then()
                    .statusCode(304);
        }

        client.update(there, "{\"text\":\"c\"}");

        for (int i = 0; i < 2; i++) {
            client.given()
                    .header("If-None-Match", version)
                    .when()
                    .get(there)
                    .then()
                    .body("text", equalTo("c"));
        }
    }

    /** The other objects in such an answer have versions of their own. */
    @Test
    void load_versionWithDepth_confirmsNothing() {
        client.given()
                .header("If-None-Match", "\"2\"")
                .when()
                .get(there + "?depth=1")
                .then()
                .statusCode(200);
        client.given()
                .header("If-None-Match", "\"2\"")
                .when()
                .get(there + "?depth=0")
                .then()
                .statusCode(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"%s", "%s\"", "\"%s--\"", "\"%sa\"", "\"%s--a_b\"", "\"%s--gzip"})
    void load_almostTheTag_is200(String spelling) {
        String etag = spelling.formatted(tag(client.given().when().get(there)));

        client.given().header("If-None-Match", etag).when().get(there).then().statusCode(200);
    }

    /** Browsers send this to bypass caches: it means nothing (protocol §20, pitfall 8). */
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
    void load_meaninglessCondition_is200(String header, String value) {
        for (int i = 0; i < 3; i++) {
            Response answer = client.given().header(header, value).when().get(there);

            answer.then().statusCode(200).body("text", equalTo("b"));
        }
    }

    @Test
    void load_cacheBusterAndNoCacheTogether_is200() {
        Response answer = client.given()
                .header("If-Match", "\"\"")
                .header("If-None-Match", "\"-\"")
                .header("Cache-Control", "max-age=0, no-cache")
                .when()
                .get(there);

        answer.then().statusCode(200);
    }

    @Test
    void load_missingObject_is404WhateverTheCondition() {
        client.given().when().get(missing).then().statusCode(404);
        client.given()
                .header("If-None-Match", "\"1\"")
                .when()
                .get(missing)
                .then()
                .statusCode(404);
        client.given()
                .header("Cache-Control", "no-cache")
                .when()
                .get(missing)
                .then()
                .statusCode(404);
    }

    @Test
    void query_copyIsCurrent_is304() {
        Response first = client.given().when().get(Client.queryPath(bucket, "{}"));

        client.given()
                .header("If-None-Match", first.header("etag"))
                .when()
                .get(Client.queryPath(bucket, "{}"))
                .then()
                .statusCode(304);
        client.update(there, "{\"text\":\"c\"}");
        client.given()
                .header("If-None-Match", first.header("etag"))
                .when()
                .get(Client.queryPath(bucket, "{}"))
                .then()
                .statusCode(200);
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
        client.given()
                .header("Cache-Control", "no-cache")
                .when()
                .get(there)
                .then()
                .body("version", equalTo(3));
    }

    /** Returns the tag between the quotes. */
    private static String tag(Response answer) {
        return answer.then()
                .header("etag", notNullValue())
                .extract()
                .header("etag")
                .replace("\"", "");
    }
}
