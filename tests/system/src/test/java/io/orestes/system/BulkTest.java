package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;

import io.orestes.support.http.Client;
import io.orestes.support.http.LiveStream;
import io.restassured.response.Response;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whole classes at once (protocol §8.6): names, ids, export, import, truncate; for admins. */
@ExtendWith(SharedBackend.class)
final class BulkTest {

    private final Backend backend;
    private final Client client;
    private final Client root;
    private String bucket = "";

    BulkTest(Backend backend) {
        this.backend = backend;
        this.client = backend.anonymous();
        this.root = backend.root();
    }

    @BeforeEach
    void createClass() {
        bucket = backend.newClass("text", "String");
    }

    @Test
    void import_gzipped_is415() {
        Response refused = root.given()
                .body("[]")
                .header("Content-Encoding", "gzip")
                .when()
                .put("/db/" + bucket);

        refused.then().statusCode(415).header("accept-encoding", "identity");
    }

    private String id(int number) {
        return "/db/%s/%04d".formatted(bucket, number);
    }

    /** An import of as many objects. */
    private String objects(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "{\"id\":\"%s\",\"text\":\"t%d\"}".formatted(id(i), i))
                .collect(Collectors.joining(",", "[", "]"));
    }

    @Test
    void operations_insertARole_nameTheIdThatItGot() {
        String role = "{\"id\":\"/db/Role/chosen\",\"name\":\"%s\"}".formatted(bucket);

        Response answer = root.given()
                .body("{\"operations\":[{\"insert\":" + role + "}]}")
                .when()
                .post("/db/Role/bulk");

        answer.then().body("results[0].status", equalTo(201));
        root.given().when().get(answer.<String>path("results[0].id")).then().body("name", equalTo(bucket));
    }

    @Test
    void names_listEveryEntityClass() {
        client.given()
                .when()
                .get("/db")
                .then()
                .body("", hasItems("/db/" + bucket, "/db/User"))
                .body("", not(hasItem("/db/String")));
    }

    @Test
    void importExportTruncate_ofManyPages_areComplete() {
        Response imported = root.given().body(objects(450)).when().put("/db/" + bucket);
        Response exported = root.given().when().get("/db/" + bucket);
        Response truncated = root.given().when().delete("/db/" + bucket);

        imported.then().body("", empty());
        exported.then()
                .body("id", equalTo(IntStream.range(0, 450).mapToObj(this::id).toList()))
                .body("[7].keySet()", hasItems("version", "acl", "createdAt", "text"));
        truncated.then().body("count", equalTo(450));
        root.given().when().get("/db/" + bucket).then().body(equalTo("[]"));
        assertThat(client.count(bucket)).isZero();
    }

    @Test
    void importOfAnExport_replacesAndLeavesOthers() {
        root.given().body(objects(3)).when().put("/db/" + bucket).then().statusCode(200);
        String export = root.given().when().get("/db/" + bucket).asString();
        client.update(id(1), "{\"text\":\"changed\"}");
        client.insert(bucket, "{\"id\":\"" + id(9) + "\",\"text\":\"other\"}");

        root.given().body(export).when().put("/db/" + bucket).then().body("", empty());

        client.given().when().get(id(1)).then().body("text", equalTo("t1"));
        client.given().when().get(id(9)).then().statusCode(200);
    }

    @Test
    void import_badObjectsAmongGoodOnes_areReportedAndTheRestIsStored() {
        Response answer = root.given()
                .body("[{\"id\":\"%s\",\"text\":\"good\"},{\"id\":\"%s\",\"text\":1},{\"text\":\"no id\"},7]"
                        .formatted(id(1), id(2)))
                .when()
                .put("/db/" + bucket);

        answer.then().statusCode(200).body("", hasSize(3));
        for (int i = 0; i < 3; i++) {
            answer.then().body("[" + i + "].keySet()", contains("id", "status", "error"));
        }
        assertThat(client.count(bucket)).isEqualTo(1);
    }

    @Test
    void import_ofNewObjectsOnly_leavesExistingOnes() {
        client.insert(bucket, "{\"id\":\"" + id(1) + "\",\"text\":\"mine\"}");

        Response answer = root.given()
                .body(objects(3))
                .header("If-None-Match", "*")
                .when()
                .put("/db/" + bucket);

        answer.then().body("id", contains(id(1))).body("status", contains(412));
        client.given().when().get(id(1)).then().body("text", equalTo("mine"));
        assertThat(client.count(bucket)).isEqualTo(3);
    }

    @Test
    void import_ofChangesOnly_makesNoObject() {
        client.insert(bucket, "{\"id\":\"" + id(1) + "\",\"text\":\"mine\"}");

        root.given()
                .body(objects(3))
                .header("If-Match", "*")
                .when()
                .put("/db/" + bucket)
                .then()
                .body("", hasSize(2));

        client.given().when().get(id(1)).then().body("text", equalTo("t1"));
        assertThat(client.count(bucket)).isEqualTo(1);
    }

    @Test
    void import_thatIsNoArray_is400() {
        root.given().body("{}").when().put("/db/" + bucket).then().statusCode(400);
        root.given().body("[{}").when().put("/db/" + bucket).then().statusCode(400);
    }

    @Test
    void import_thatBreaksOffAfterManyObjects_storesNone() {
        String objects = IntStream.range(0, 1_000)
                .mapToObj(i -> "{\"id\":\"/db/%s/k%s\"}".formatted(bucket, i))
                .collect(Collectors.joining(","));

        root.given()
                .body("[" + objects + ",{]")
                .when()
                .put("/db/" + bucket)
                .then()
                .statusCode(400);

        assertThat(client.count(bucket)).isZero();
    }

    @Test
    void import_largerThanAnObjectMayBe_isAccepted() {
        String text = "x".repeat(600_000);
        String body = "[{\"id\":\"%1$s\",\"text\":\"%3$s\"},{\"id\":\"%2$s\",\"text\":\"%3$s\"}]"
                .formatted(id(1), id(2), text);

        root.given().body(body).when().put("/db/" + bucket).then().body("", empty());
        client.given().when().get(id(2)).then().body("text", equalTo(text));
    }

    @Test
    void bulk_expectingVersion0_isRefusedOperationByOperation() {
        Response done = client.given()
                .body(
                        """
                {"operations":[{"delete":"%1$s","ifMatch":0}, {"delete":"%1$s","ifMatch":"00"},
                  {"delete":"%1$s","ifMatch":"W/\\"0\\""}, {"delete":"%1$s","ifMatch":"0--loyw3v28_x1"}]}
                """
                                .formatted(id(1)))
                .when()
                .post("/db/" + bucket + "/bulk");

        done.then().statusCode(200).body("results.status", contains(400, 400, 400, 400));
    }

    @Test
    void bulk_everyKindOfWrite_hasTheResultItWouldHaveAlone() {
        client.insert(bucket, "{\"id\":\"%s\",\"text\":\"a\"}".formatted(id(1)));

        Response done = client.given()
                .body(
                        """
                {"operations":[{"insert":{"text":"new"}},
                  {"insert":{"id":"%1$s"}},
                  {"update":{"$set":{"text":"b"}},"id":"%1$s","ifMatch":1},
                  {"update":{"$inc":{"text":1}},"id":"%1$s"},
                  {"replace":{"id":"%1$s","text":"c"},"ifMatch":1},
                  {"replace":{"id":"%2$s","text":"d"}},
                  {"delete":"%2$s","ifMatch":"1"},
                  {"update":{},"id":"%2$s"},
                  {"delete":"/db/User/1"}, {"insert":{},"delete":"%1$s"}, 7]}
                """
                                .formatted(id(1), id(2)))
                .when()
                .post("/db/" + bucket + "/bulk");

        done.then()
                .statusCode(200)
                .body("results.status", contains(201, 409, 200, 400, 412, 200, 204, 404, 400, 400, 400));
        client.given().when().get(id(1)).then().body("text", equalTo("b"));
        client.given().when().get(id(2)).then().statusCode(404);
        assertThat(client.count(bucket)).isEqualTo(2);
    }

    /** A misspelt condition must not lead to an unconditional write. */
    @Test
    void bulk_membersThatTheOperationDoesNotHave_areRefused() {
        client.insert(bucket, "{\"id\":\"%s\",\"text\":\"a\"}".formatted(id(1)));

        Response done = client.given()
                .body(
                        """
                {"operations":[{"update":{"$set":{"text":"b"}},"id":"%1$s","ifmatch":7},
                  {"replace":{"id":"%1$s","text":"c"},"id":"%1$s"},
                  {"delete":"%1$s","id":"%1$s"},
                  {"delete":"%1$s","version":7},
                  {"insert":{"text":"d"},"ifMatch":1}]}
                """
                                .formatted(id(1)))
                .when()
                .post("/db/" + bucket + "/bulk");

        done.then()
                .body("results.status", contains(400, 400, 400, 400, 400))
                .body(containsString("An operation with update has no other members than id and ifMatch"));
        client.given().when().get(id(1)).then().body("text", equalTo("a"));
        assertThat(client.count(bucket)).isEqualTo(1);
    }

    @Test
    void bulk_manyOperationsOnOneObject_areDoneInTheirOrder() {
        String operations = IntStream.range(0, 1_000)
                .mapToObj(i -> "{\"replace\":{\"id\":\"%s\",\"text\":\"t%d\"}}".formatted(id(i % 3), i))
                .collect(Collectors.joining(","));

        client.given()
                .body("{\"operations\":[" + operations + "]}")
                .when()
                .post("/db/" + bucket + "/bulk")
                .then()
                .statusCode(200);

        client.given().when().get(id(0)).then().body("text", equalTo("t999"));
        client.given().when().get(id(0)).then().body("version", equalTo(334));
        client.given().when().get(id(2)).then().body("text", equalTo("t998"));
    }

    @Test
    void bulk_ofAnotherFormOrTooLong_isRefusedAsAWhole() {
        String path = "/db/" + bucket + "/bulk";
        String many = IntStream.range(0, 1_001).mapToObj(i -> "{}").collect(Collectors.joining(","));

        client.given().body("{}").when().post(path).then().statusCode(400);
        client.given().body("{\"operations\":{}}").when().post(path).then().statusCode(400);
        client.given()
                .body("{\"operations\":[" + many + "]}")
                .when()
                .post(path)
                .then()
                .statusCode(413);
        client.given()
                .body("{\"operations\":[]}")
                .when()
                .post("/db/Nowhere/bulk")
                .then()
                .statusCode(461);
        client.given().body("{}").when().put("/db/" + bucket + "/bulk").then().statusCode(400);
    }

    @Test
    void bulk_withoutPermission_isDeniedOperationByOperation() {
        root.given()
                .body(("{\"operation\":\"updateClassAcl\",\"bucket\":\"/db/%s\","
                                + "\"acl\":{\"insert\":{\"/db/Role/1\":\"allow\"}}}")
                        .formatted(bucket))
                .when()
                .post("/schema")
                .then()
                .statusCode(200);

        Response done = client.given()
                .body("{\"operations\":[{\"insert\":{}},{\"delete\":\"" + id(1) + "\"}]}")
                .when()
                .post("/db/" + bucket + "/bulk");

        done.then().body(containsString("\"status\":466")).body(containsString("\"status\":204"));
    }

    @Test
    void ids_areOrderedAndCut() {
        root.given().body(objects(450)).when().put("/db/" + bucket).then().statusCode(200);

        root.given()
                .when()
                .get("/db/" + bucket + "/ids")
                .then()
                .body("", hasSize(450))
                .body("[0]", equalTo(id(0)));
        root.given()
                .when()
                .get("/db/" + bucket + "/ids?start=448")
                .then()
                .body(equalTo("[\"%s\",\"%s\"]".formatted(id(448), id(449))));
        root.given()
                .when()
                .get("/db/" + bucket + "/ids?start=1&count=1")
                .then()
                .body(equalTo("[\"%s\"]".formatted(id(1))));
        root.given().when().get("/db/" + bucket + "/ids?start=999").then().body(equalTo("[]"));
        root.given().when().get("/db/" + bucket + "/ids?start=-1").then().statusCode(400);
    }

    @Test
    void bulk_byOthersThanAdmins_is466AndChangesNothing() {
        String stored = client.insert(bucket, "{\"text\":\"a\"}");

        client.given().when().get("/db/" + bucket + "/ids").then().statusCode(466);
        client.given().when().get("/db/" + bucket).then().statusCode(466);
        client.given().body(objects(1)).when().put("/db/" + bucket).then().statusCode(466);
        client.given().when().delete("/db/" + bucket).then().statusCode(466);
        root.given().when().get("/db/" + bucket).then().body("id", contains(stored));
    }

    @Test
    void bulk_unknownClass_is461() {
        root.given().when().get("/db/Nowhere").then().statusCode(461);
        root.given().when().get("/db/Nowhere/ids").then().statusCode(461);
        root.given().body("[]").when().put("/db/Nowhere").then().statusCode(461);
        root.given().when().delete("/db/Nowhere").then().statusCode(461);
    }

    @Test
    void truncateAndImport_reachCachesAndLiveQueries() throws Exception {
        String stored = client.insert(bucket, "{\"text\":\"a\"}");
        client.given().when().get(stored).then().statusCode(200);
        client.given().when().get(Client.queryPath(bucket, "{}")).then().body("id", contains(stored));
        try (LiveStream live = LiveStream.open(client, bucket, "")) {
            assertThat(live.next().array()).hasSize(1);

            root.given().when().delete("/db/" + bucket).then().statusCode(200);
            assertThat(live.next().summary()).isEqualTo("remove delete " + stored);
            client.given().when().get(stored).then().statusCode(404);
            client.given().when().get(Client.queryPath(bucket, "{}")).then().body(equalTo("[]"));

            root.given().body(objects(1)).when().put("/db/" + bucket).then().statusCode(200);
            assertThat(live.next().summary()).isEqualTo("add insert " + id(0));
            client.given().when().get(Client.queryPath(bucket, "{}")).then().body("id", contains(id(0)));
        }
    }
}
