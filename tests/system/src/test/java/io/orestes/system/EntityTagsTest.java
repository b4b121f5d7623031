package io.orestes.system;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.orestes.support.http.Client;
import io.orestes.support.server.Launcher;
import io.orestes.support.server.ServerProcess;
import io.restassured.response.Response;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * An entity tag identifies one body of its URL: no other one, from whatever time, is ever confirmed
 * or overwritten by it.
 */
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
        String former = etag(client.given().when().get(id));
        for (int life = 2; life < 12; life++) {
            client.remove(id);
            client.update(id, "{\"text\":\"life " + life + "\"}");

            Response answer =
                    client.given().header("If-None-Match", former).when().get(id);
            Response cached =
                    client.given().header("If-None-Match", former).when().get(id);

            answer.then().statusCode(200);
            cached.then().statusCode(200).header("orestes-cache", "hit");
            answer.then().body(containsString("life " + life)).body(containsString("\"version\":1,"));
        }
    }

    @Test
    void write_tagOfAnEarlierLife_is412() {
        String former = etag(client.given().when().get(id));
        client.remove(id);
        String present = client.update(id, "{\"text\":\"second life\"}").text();

        client.given()
                .body("{\"text\":\"late\"}")
                .header("If-Match", former)
                .when()
                .put(id)
                .then()
                .statusCode(412);
        client.given().header("If-Match", former).when().delete(id).then().statusCode(412);
        client.given().when().get(id).then().body(equalTo(present));
    }

    @Test
    void write_tagOfTheCurrentState_succeeds() {
        String first = etag(client.given().when().get(id));
        Response updated = client.given()
                .header("If-Match", first)
                .body("{\"text\":\"b\"}")
                .when()
                .put(id);
        updated.then().statusCode(200);
        String second = etag(updated);

        client.given()
                .body("{\"text\":\"c\"}")
                .header("If-Match", first)
                .when()
                .put(id)
                .then()
                .statusCode(412);
        client.given().header("If-Match", second).when().delete(id).then().statusCode(204);
    }

    @Test
    void load_copyFromBeforeAFieldWasAdded_isNotConfirmed() {
        Response former = client.given().when().get(id);

        addField();

        Response answer =
                client.given().header("If-None-Match", etag(former)).when().get(id);
        answer.then().statusCode(200).body("$", hasKey("n")).body("n", nullValue());
        client.given()
                .header("If-None-Match", etag(answer))
                .when()
                .get(id)
                .then()
                .statusCode(304);
    }

    @Test
    void load_fieldTakenBack_confirmsTheCopyThatIsRightAgain() {
        Response former = client.given().when().get(id);

        addField();
        change("{\"operation\":\"removeField\",\"bucket\":\"/db/%s\",\"name\":\"n\"}");

        client.given()
                .header("If-None-Match", etag(former))
                .when()
                .get(id)
                .then()
                .statusCode(304);
        client.given().when().get(id).then().body(equalTo(former.asString()));
    }

    @Test
    void write_tagFromBeforeAFieldWasAdded_succeeds() {
        String former = etag(client.given().when().get(id));

        addField();

        client.given()
                .body("{\"text\":\"b\"}")
                .header("If-Match", former)
                .when()
                .put(id)
                .then()
                .statusCode(200);
    }

    @Test
    void load_classNoLongerPublic_refusesInsteadOfConfirming() {
        String former = etag(client.given().when().get(id));

        change("{\"operation\":\"updateClassAcl\",\"bucket\":\"/db/%s\","
                + "\"acl\":{\"load\":{\"/db/Role/1\":\"allow\"}}}");

        client.given().header("If-None-Match", former).when().get(id).then().statusCode(466);
        root.given().header("If-None-Match", former).when().get(id).then().statusCode(304);
    }

    @Test
    void query_copyFromBeforeAFieldWasAdded_isNotConfirmed() {
        String former = etag(client.given().when().get(Client.queryPath(bucket, "{}")));

        addField();

        client.given()
                .header("If-None-Match", former)
                .when()
                .get(Client.queryPath(bucket, "{}"))
                .then()
                .statusCode(200);
    }

    @Test
    void query_copyOfAnEarlierLife_isNotConfirmed() {
        String former = etag(client.given().when().get(Client.queryPath(bucket, "{}")));
        client.remove(id);
        client.update(id, "{\"text\":\"first life\"}");

        client.given()
                .header("If-None-Match", former)
                .when()
                .get(Client.queryPath(bucket, "{}"))
                .then()
                .statusCode(200);
    }

    @Test
    void load_afterARestart_confirmsTheSameCopyAndNoOther(@TempDir Path data) throws InterruptedException {
        Response former;
        Response deleted;
        try (ServerProcess server = Launcher.here().start(data, "--root-password", Backend.ROOT_PASSWORD)) {
            Client before = Client.anonymous(server);
            before.login("root", Backend.ROOT_PASSWORD)
                    .given()
                    .body("{\"class\":\"/db/Kept\",\"fields\":{\"n\":{\"name\":\"n\",\"type\":\"/db/Integer\"}}}")
                    .when()
                    .post("/schema")
                    .then()
                    .statusCode(200);
            former = before.given().body("{\"n\":1}").when().put("/db/Kept/a");
            deleted = before.given().body("{\"n\":1}").when().put("/db/Kept/b");
            former.then().statusCode(200);
            deleted.then().statusCode(200);
            before.remove("/db/Kept/b");
            server.stop();
        }
        try (ServerProcess server = Launcher.here().start(data)) {
            Client after = Client.anonymous(server);
            after.update("/db/Kept/b", "{\"n\":1}");

            after.given()
                    .header("If-None-Match", etag(former))
                    .when()
                    .get("/db/Kept/a")
                    .then()
                    .statusCode(304);
            after.given().when().get("/db/Kept/a").then().body(equalTo(former.asString()));
            after.given()
                    .header("If-None-Match", etag(deleted))
                    .when()
                    .get("/db/Kept/b")
                    .then()
                    .statusCode(200);
            after.given()
                    .body("{\"n\":2}")
                    .header("If-Match", etag(deleted))
                    .when()
                    .put("/db/Kept/b")
                    .then()
                    .statusCode(412);
            server.stop();
        }
    }

    private void addField() {
        change("{\"operation\":\"addField\",\"bucket\":\"/db/%s\","
                + "\"field\":{\"name\":\"n\",\"type\":\"/db/Integer\"}}");
    }

    private void change(String operation) {
        root.given()
                .body(operation.formatted(bucket))
                .when()
                .post("/schema")
                .then()
                .statusCode(200);
    }

    private static String etag(Response answer) {
        return answer.then().header("etag", notNullValue()).extract().header("etag");
    }
}
