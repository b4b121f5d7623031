package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.http.LiveStream;
import io.restassured.response.Response;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Partial updates over HTTP (protocol §9): answers, conditions, permissions; operators have tests
 * of their own.
 */
@ExtendWith(SharedBackend.class)
final class PartialUpdatesTest {

    private final Backend backend;
    private final Client client;
    private final Client root;
    private String bucket = "";
    private String id = "";

    PartialUpdatesTest(Backend backend) {
        this.backend = backend;
        this.client = backend.anonymous();
        this.root = backend.root();
    }

    @BeforeEach
    void createObject() {
        bucket = backend.newClass(
                "text", "String", "n", "Integer", "list", "collection.List[/db/String]", "data", "JsonObject");
        id = client.insert(bucket, "{\"text\":\"a\",\"n\":1,\"list\":[\"x\"],\"data\":{\"k\":1}}");
    }

    @Test
    void update_severalOperations_areAnsweredWithTheWholeStoredObject() {
        Response updated = client.given()
                .body("{\"$set\":{\"text\":\"b\"},\"$inc\":{\"n\":2,\"data.k\":1},\"$push\":{\"list\":\"y\"}}")
                .when()
                .post(id);

        updated.then()
                .statusCode(200)
                .header("etag", startsWith("\"2--"))
                .header("cache-control", "no-store")
                .body(containsString("\"version\":2"))
                .body(containsString("\"acl\":null"))
                .body(containsString("\"text\":\"b\""))
                .body(containsString("\"n\":3"))
                .body(containsString("[\"x\",\"y\"]"))
                .body(containsString("{\"k\":2}"));
        client.given().when().get(id).then().body(equalTo(updated.asString()));
    }

    @Test
    void update_cachedObject_isSeenByTheNextReader() {
        for (int n = 2; n < 12; n++) {
            client.given().when().get(id).then().statusCode(200);
            client.given().body("{\"$inc\":{\"n\":1}}").when().post(id).then().statusCode(200);

            client.given().when().get(id).then().body("n", equalTo(n));
            client.given()
                    .when()
                    .get(Client.queryPath(bucket, "{\"n\":" + n + "}"))
                    .then()
                    .body("id", contains(id));
        }
    }

    @Test
    void update_withoutOperations_countsAsAWrite() {
        Response updated = client.given().body("{}").when().post(id);

        updated.then()
                .statusCode(200)
                .body("version", equalTo(2))
                .body("updatedAt", not(equalTo(updated.path("createdAt"))));
    }

    @Test
    void update_oneOfManyOperationsIsBad_changesNothing() {
        Response refused = client.given()
                .body("{\"$inc\":{\"n\":2},\"$push\":{\"list\":\"y\",\"text\":\"y\"}}")
                .when()
                .post(id);

        refused.then().statusCode(400).body("message", equalTo("Unsupported update operation $push on text"));
        client.given().when().get(id).then().body("version", equalTo(1));
    }

    @Test
    void update_refusals_haveTheStatusAndTextOfTheProtocol() {
        client.given()
                .body("{\"$foo\":{\"text\":1}}")
                .when()
                .post(id)
                .then()
                .body("message", equalTo("Unsupported update operation $foo on text"));
        client.given()
                .body("{\"$set\":1}")
                .when()
                .post(id)
                .then()
                .body("message", equalTo("The body can't be processed"));
        client.given().body("{\"$set\":{\"version\":7}}").when().post(id).then().statusCode(400);
        client.given().body("{\"$set\":{\"n\":\"x\"}}").when().post(id).then().statusCode(463);
        client.given().body("{\"$set\":{\"none\":1}}").when().post(id).then().statusCode(463);
        client.given()
                .body("{\"$set\":{\"acl\":{\"read\":{\"me\":\"allow\"}}}}")
                .when()
                .post(id)
                .then()
                .statusCode(462);
        client.given().body("[]").when().post(id).then().statusCode(400);
        client.given().body("{}").when().post(id + "x").then().statusCode(404);
        client.given().body("{}").when().post("/db/Nowhere/x").then().statusCode(461);
        client.given()
                .body("{\"$set\":{\"n\":1}}")
                .when()
                .post("/db/" + bucket + "/bulk")
                .then()
                .statusCode(not(200));
    }

    @Test
    void update_withCondition_isHonoured() {
        client.given()
                .body("{}")
                .header("If-Match", "\"2\"")
                .when()
                .post(id)
                .then()
                .statusCode(412);
        client.given()
                .body("{}")
                .header("If-Match", "\"1\"")
                .when()
                .post(id)
                .then()
                .statusCode(200);
        client.given().body("{}").header("If-Match", "*").when().post(id).then().statusCode(200);
        client.given()
                .body("{}")
                .header("If-Match", "\"1\"")
                .when()
                .post(id + "x")
                .then()
                .statusCode(404);
    }

    /** Requests with escapes in the path, or with a query, pass through the router. */
    @Test
    void update_byEveryRoute_isEqual() {
        String odd = client.insert(bucket, "{\"id\":\"/db/%s/a%%20b%%2Fc\",\"n\":1}".formatted(bucket));

        client.given().body("{\"$inc\":{\"n\":1}}").when().post(odd).then().body("n", equalTo(2));
        client.given()
                .body("{\"$inc\":{\"n\":1}}")
                .when()
                .post(id + "?BCB")
                .then()
                .body("n", equalTo(2));
        client.given()
                .body("{\"$inc\":{\"n\":1}}" + " ".repeat(70_000))
                .when()
                .post(id)
                .then()
                .body("n", equalTo(3));
    }

    @Test
    void updateField_hasThePathInTheUrl() {
        client.given()
                .body("{\"$inc\":2,\"$mul\":10}")
                .when()
                .post(id + "/n")
                .then()
                .body("n", equalTo(30));
        client.given().body("{\"$set\":[1]}").when().post(id + "/data.k").then().body(containsString("{\"k\":[1]}"));
        client.given()
                .body("{\"$inc\":2}")
                .when()
                .post(id + "/text")
                .then()
                .body("message", equalTo("Unsupported update operation $inc on text"));
        client.given().body("{\"$inc\":2}").when().post(id + "x/n").then().statusCode(404);
    }

    @Test
    void update_withoutThePermissionOfTheClass_is466() {
        allow("\"update\":{\"/db/Role/1\":\"allow\"}");

        client.given().body("{}").when().post(id).then().statusCode(466);
        root.given().body("{}").when().post(id).then().statusCode(200);
    }

    @Test
    void update_withoutThePermissionOfTheObject_is466() {
        update(client, "{\"$put\":{\"acl.write\":{\"/db/Role/1\":\"allow\"}}}")
                .then()
                .statusCode(200);

        Response refused =
                client.given().body("{\"$set\":{\"acl\":null}}").when().post(id);

        refused.then().statusCode(466);
        refused.then().body("message", containsString("Write permissions are required"));
        root.given().body("{\"$set\":{\"acl\":null}}").when().post(id).then().statusCode(200);
    }

    @Test
    void update_withoutPermissionToRead_isDoneButHidesTheObject() {
        assertToldNothing(update(client, "{\"$put\":{\"acl.read\":{\"/db/Role/1\":\"allow\"}}}"));
        assertToldNothing(update(client, "{\"$inc\":{\"n\":1}}"));
        update(root, "{\"$set\":{\"acl\":null}}").then().statusCode(200);
        allow("\"load\":{\"/db/Role/1\":\"allow\"}");
        assertToldNothing(update(client, "{\"$inc\":{\"n\":1}}"));

        root.given().when().get(id).then().body("n", equalTo(3));
    }

    @Test
    void update_byManyClientsAtOnce_losesNothing() {
        List<Answer> answers = IntStream.range(0, 400)
                .parallel()
                .mapToObj(i -> client.post(id, "{\"$inc\":{\"n\":1}}"))
                .toList();

        assertThat(answers).allSatisfy(answer -> assertThat(n(answer)).isEqualTo(version(answer)));
        assertThat(answers.stream().map(PartialUpdatesTest::version)).doesNotHaveDuplicates();
        client.given().when().get(id).then().body("n", equalTo(401));
    }

    @Test
    void update_thatBringsAnObjectIntoALiveQuery_isSent() throws Exception {
        String filter = Client.encode("{\"n\":{\"$gt\":5}}");
        try (LiveStream live = LiveStream.open(client, bucket, "q=" + filter)) {
            assertThat(live.next().array()).isEmpty();

            client.given().body("{\"$inc\":{\"n\":9}}").when().post(id).then().statusCode(200);

            assertThat(live.next().summary()).isEqualTo("add update " + id);
        }
    }

    private Response update(Client writer, String operations) {
        return writer.given().body(operations).when().post(id);
    }

    private void allow(String permissions) {
        root.given()
                .body("{\"operation\":\"updateClassAcl\",\"bucket\":\"/db/%s\",\"acl\":{%s}}"
                        .formatted(bucket, permissions))
                .when()
                .post("/schema")
                .then()
                .statusCode(200);
    }

    private static void assertToldNothing(Response answer) {
        answer.then().statusCode(200).body("keySet()", contains("id", "version", "acl", "createdAt", "updatedAt"));
    }

    private static long n(Answer answer) {
        return number(answer, "n");
    }

    private static long version(Answer answer) {
        return number(answer, "version");
    }

    private static long number(Answer answer, String member) {
        BsonDocument object = answer.object();
        assertThat(object.containsKey(member)).as(answer.text()).isTrue();
        return object.getNumber(member).longValue();
    }
}
