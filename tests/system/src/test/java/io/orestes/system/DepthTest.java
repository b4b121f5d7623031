package io.orestes.system;

import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.instanceOf;
import static org.hamcrest.Matchers.not;

import io.orestes.support.http.Client;
import io.restassured.response.Response;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Referenced objects in the place of references: {@code ?depth=}. */
@ExtendWith(SharedBackend.class)
final class DepthTest {

    private final Backend backend;
    private final Client client;
    private final Client root;
    private String bucket = "";

    DepthTest(Backend backend) {
        this.backend = backend;
        this.client = backend.anonymous();
        this.root = backend.root();
    }

    /** Creates a cycle of references: a to b, b to c, c to a. */
    @BeforeEach
    void createRing() {
        bucket = backend.newClass("text", "String");
        String fields = "{\"class\":\"/db/%1$s\",\"fields\":{\"next\":{\"name\":\"next\",\"type\":\"/db/%1$s\"},"
                + "\"many\":{\"name\":\"many\",\"type\":\"/db/collection.List[/db/%1$s]\"}}}";
        root.given()
                .body(fields.formatted(bucket))
                .when()
                .post("/schema")
                .then()
                .statusCode(200);
        client.insert(bucket, object("a", "\"next\":\"" + id("b") + "\""));
        client.insert(bucket, object("b", "\"next\":\"" + id("c") + "\""));
        client.insert(bucket, object("c", "\"next\":\"" + id("a") + "\""));
    }

    @Test
    void load_toSomeDepth_hasObjectsInThePlaceOfReferences() {
        Response one = client.given().when().get(id("a") + "?depth=1");
        Response two = client.given().when().get(id("a") + "?depth=2");

        one.then().header("cache-control", "no-store");
        one.then().body("next.text", equalTo("b")).body("next.next", equalTo(id("c")));
        two.then().body("next.next.text", equalTo("c"));
        String plain = client.given().when().get(id("a")).asString();
        client.given().when().get(id("a") + "?depth=0").then().body(equalTo(plain));
    }

    @Test
    void load_aCycleOfReferences_ends() {
        client.given().when().get(id("a") + "?depth=true").then().body("next.next.next", equalTo(id("a")));
    }

    @Test
    void load_whatMayNotBeReadOrDoesNotExist_staysAReference() {
        String hide = "{\"$put\":{\"acl.read\":{\"/db/Role/1\":\"allow\"}}}";
        client.given().body(hide).when().post(id("b")).then().statusCode(200);
        client.insert(
                bucket, object("list", "\"many\":[\"%s\",null,\"%s\",\"%s\"]".formatted(id("b"), id("none"), id("c"))));

        client.given()
                .when()
                .get(id("list") + "?depth=1")
                .then()
                .body("many[0]", not(instanceOf(Map.class)))
                .body("many[1]", not(instanceOf(Map.class)))
                .body("many[2]", not(instanceOf(Map.class)))
                .body("many[3].text", equalTo("c"));
        root.given().when().get(id("list") + "?depth=1").then().body("many[0]", instanceOf(Map.class));
        client.given().when().get(id("b") + "?depth=1").then().statusCode(404);
    }

    @Test
    void load_classThatMayNotBeLoaded_staysAReference() {
        String other = backend.newClass("text", "String");
        client.insert(other, "{\"id\":\"/db/%s/x\"}".formatted(other));
        String field = "{\"class\":\"/db/%s\",\"fields\":{\"other\":{\"name\":\"other\",\"type\":\"/db/%s\"}}}";
        root.given()
                .body(field.formatted(bucket, other))
                .when()
                .post("/schema")
                .then()
                .statusCode(200);
        String refer = "{\"$set\":{\"other\":\"/db/%s/x\"}}".formatted(other);
        client.given().body(refer).when().post(id("a")).then().statusCode(200);
        client.given().when().get(id("a") + "?depth=1").then().body("other", instanceOf(Map.class));

        root.given()
                .body(("{\"operation\":\"updateClassAcl\",\"bucket\":\"/db/%s\","
                                + "\"acl\":{\"load\":{\"/db/Role/1\":\"allow\"}}}")
                        .formatted(other))
                .when()
                .post("/schema")
                .then()
                .statusCode(200);

        client.given().when().get(id("a") + "?depth=1").then().body("other", instanceOf(String.class));
    }

    @Test
    void query_toSomeDepth_expandsEachObject() {
        client.given()
                .when()
                .get("/db/" + bucket + "/query?depth=1&sort=%7B%22text%22%3A1%7D&q=%7B%7D")
                .then()
                .body("id", contains(id("a"), id("b"), id("c")))
                .body("[2].next.text", equalTo("a"))
                .header("cache-control", "no-store");
    }

    @Test
    void depth_ofNoNumber_isRefused() {
        client.given().when().get(id("a") + "?depth=-1").then().statusCode(400);
        client.given().when().get(id("a") + "?depth=all").then().statusCode(400);
        client.given().when().get(id("a") + "?depth=999999999").then().statusCode(200);
        client.given()
                .when()
                .get("/db/" + bucket + "/query?depth=1&ids=true")
                .then()
                .statusCode(400);
    }

    private String id(String key) {
        return "/db/" + bucket + "/" + key;
    }

    private String object(String key, String reference) {
        return "{\"id\":\"%s\",\"text\":\"%s\",%s}".formatted(id(key), key, reference);
    }
}
