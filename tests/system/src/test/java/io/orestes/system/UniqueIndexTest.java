package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.startsWith;

import io.orestes.support.http.Client;
import io.restassured.response.Response;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Unique indexes over HTTP (protocol §11, §2). */
@ExtendWith(SharedBackend.class)
final class UniqueIndexTest {

    private static final String UNIQUE = "{\"keys\":[{\"text\":\"asc\"}],\"unique\":true}";

    private final Backend backend;
    private final Client anonymous;
    private final Client root;
    private String bucket = "";

    UniqueIndexTest(Backend backend) {
        this.backend = backend;
        this.anonymous = backend.anonymous();
        this.root = backend.root();
    }

    @BeforeEach
    void createClass() {
        bucket = backend.newClass("text", "String");
    }

    @Test
    void insert_valueOfAnotherObject_is409InTheFormClientsKnow() {
        root.given().body(UNIQUE).when().post("/index/" + bucket).then().statusCode(202);
        String first = anonymous.insert(bucket, "{\"text\":\"a\"}");
        String second = anonymous.insert(bucket, "{\"text\":\"b\"}");

        Response refused = anonymous.given().body("{\"text\":\"a\"}").when().put(second);

        refused.then().statusCode(409).body("reason", equalTo("Unique Index Exception"));
        refused.then().body("message", startsWith("Unique index violation")).body("message", endsWith(second));
        anonymous.given().when().get(second).then().body("text", equalTo("b"));
        anonymous.given().when().get(first).then().statusCode(200);
    }

    @Test
    void list_uniqueIndex_isMarkedUnique_andDropRemovesIt() {
        root.given().body(UNIQUE).when().post("/index/" + bucket).then().statusCode(202);

        assertThat(indexes(bucket)).contains(BsonDocument.parse("{keys: [{text: 'asc'}], unique: true}"));
        root.given()
                .body("{\"keys\":[{\"text\":\"asc\"}],\"drop\":true}")
                .when()
                .post("/index/" + bucket)
                .then()
                .statusCode(202);
        anonymous.given().when().get("/index/" + bucket).then().body("", hasSize(1));
    }

    @Test
    void create_overDuplicates_is409AndLeavesNoIndex() {
        anonymous.insert(bucket, "{\"text\":\"a\"}");
        anonymous.insert(bucket, "{\"text\":\"a\"}");

        Response refused = root.given().body(UNIQUE).when().post("/index/" + bucket);

        refused.then().statusCode(409).body("reason", equalTo("Unique Index Exception"));
        anonymous.given().when().get("/index/" + bucket).then().body("", hasSize(1));
    }

    @Test
    void import_secondUserOfOneName_isRefused() {
        Response imported = root.given()
                .body("[{\"id\":\"/db/User/twin1\",\"username\":\"twin\"},{\"id\":\"/db/User/twin2\","
                        + "\"username\":\"twin\"}]")
                .when()
                .put("/db/User");

        imported.then().statusCode(200).body("", hasSize(1));
    }

    @Test
    void drop_indexOfUserNames_isIgnored() {
        root.given().when().delete("/index/User").then().statusCode(202);

        assertThat(indexes("User")).contains(BsonDocument.parse("{keys: [{username: 'asc'}], unique: true}"));
    }

    @Test
    void drop_indexOfMembersOfRoles_isIgnored() {
        root.given().when().delete("/index/Role").then().statusCode(202);

        assertThat(indexes("Role"))
                .contains(
                        BsonDocument.parse("{keys: [{users: 'asc'}, {createdAt: 'asc'}, {id: 'asc'}], unique: false}"));
    }

    private BsonArray indexes(String name) {
        return BsonArray.parse(anonymous.given().when().get("/index/" + name).asString());
    }
}
