package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;

import io.orestes.support.http.Client;
import io.restassured.response.Response;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Indexes over HTTP (protocol §11); what unique ones refuse is in {@link UniqueIndexTest}. */
@ExtendWith(SharedBackend.class)
final class IndexesTest {

    private static final String NEAR_ZERO =
            "{\"place\":{\"$nearSphere\":{\"$geometry\":{\"type\":\"Point\",\"coordinates\":[0,0]}}}}";

    private final Backend backend;
    private final Client anonymous;
    private final Client root;
    private String bucket = "";

    IndexesTest(Backend backend) {
        this.backend = backend;
        this.anonymous = backend.anonymous();
        this.root = backend.root();
    }

    @BeforeEach
    void createClass() {
        bucket = backend.newClass("name", "String", "age", "Integer", "place", "GeoPoint");
    }

    private void create(String keys) {
        Response created = root.given().body("{\"keys\":" + keys + "}").when().post("/index/" + bucket);
        created.then().statusCode(202);
    }

    private List<BsonValue> list() {
        return BsonArray.parse(anonymous.given().when().get("/index/" + bucket).asString());
    }

    private static BsonDocument index(String keys) {
        return BsonDocument.parse("{keys: " + keys + ", unique: false}");
    }

    @Test
    void list_newClass_hasThePrimaryIndexAlone() {
        assertThat(list()).containsExactly(BsonDocument.parse("{keys: [{id: 'asc'}], unique: true}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{\"name\":\"asc\"}]                       | [{name: 'asc'}, {id: 'asc'}]",
                "[{\"name\":\"asc\"},{\"age\":\"desc\"}]    | [{name: 'asc'}, {age: 'desc'}, {id: 'desc'}]",
                "[{\"not\":\"desc\"},{\"id\":\"asc\"}]      | [{not: 'desc'}, {id: 'asc'}]",
                "[{\"place\":\"geo\"}]                      | [{place: 'geo'}, {id: 'asc'}]",
                "[{\"place\":\"asc\"}]                      | [{place: 'geo'}, {id: 'asc'}]",
                "[{\"any.where\":\"geo\"}]                  | [{'any.where': 'geo'}, {id: 'asc'}]",
            })
    void create_plainIndex_isListedWithTheIdBehindIt_andDroppedAsListed(String keys, String listed) {
        create(keys);
        create(keys);

        assertThat(list()).hasSize(2).contains(index(listed));
        BsonDocument drop = index(listed).append("drop", BsonBoolean.TRUE);
        root.given().body(drop.toJson()).when().post("/index/" + bucket).then().statusCode(202);
        assertThat(list()).hasSize(1);
    }

    @Test
    void create_idAlone_isThePrimaryIndex() {
        create("[{\"id\":\"desc\"}]");

        assertThat(list()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"keys\":[]}",
                "{\"keys\":\"name\"}",
                "{\"keys\":[\"name\"]}",
                "{\"keys\":[{}]}",
                "{\"keys\":[{\"name\":\"asc\",\"age\":\"asc\"}]}",
                "{\"keys\":[{\"name\":\"text\"}]}",
                "{\"keys\":[{\"name\":\"hashed\"}]}",
                "{\"keys\":[{\"name\":1}]}",
                "{\"keys\":[{\"\":\"asc\"}]}",
                "{\"keys\":[{\"_readAllowed\":\"asc\"}]}",
                "{\"keys\":[{\"$**\":\"asc\"}]}",
                "{\"keys\":[{\"name\":\"asc\"}],\"unique\":1}",
            })
    void create_malformed_is400(String body) {
        root.given().body(body).when().post("/index/" + bucket).then().statusCode(400);
        assertThat(list()).hasSize(1);
    }

    @Test
    void anyRequest_unknownClass_is461() {
        String keys = "{\"keys\":[{\"name\":\"asc\"}]}";

        anonymous.given().when().get("/index/NoSuchClass").then().statusCode(461);
        root.given().body(keys).when().post("/index/NoSuchClass").then().statusCode(461);
        root.given().when().delete("/index/NoSuchClass").then().statusCode(461);
        root.given().body("").when().put("/index/NoSuchClass/text").then().statusCode(461);
    }

    @Test
    void change_byOthersThanAdmins_is466() {
        anonymous
                .given()
                .body("{\"keys\":[{\"name\":\"asc\"}]}")
                .when()
                .post("/index/" + bucket)
                .then()
                .statusCode(466);
        anonymous.given().when().delete("/index/" + bucket).then().statusCode(466);
        anonymous
                .given()
                .body("")
                .when()
                .put("/index/" + bucket + "/text")
                .then()
                .statusCode(466);
        anonymous.given().when().delete("/index/" + bucket + "/text").then().statusCode(466);
    }

    @Test
    void dropAll_leavesThePrimaryIndex() {
        create("[{\"name\":\"asc\"}]");
        create("[{\"place\":\"geo\"}]");
        root.given().body("").when().put("/index/" + bucket + "/text").then().statusCode(202);

        root.given().when().delete("/index/" + bucket).then().statusCode(202);

        assertThat(list()).hasSize(1);
    }

    @Test
    void text_madeAndDropped_searchesFindTheSame() {
        String id = anonymous.insert(bucket, "{\"name\":\"Two houses\"}");
        anonymous.insert(bucket, "{\"name\":\"a boat\"}");
        String search = "{\"$text\":{\"$search\":\"house\"}}";
        Response before = anonymous.given().when().get(Client.queryPath(bucket, search));

        root.given().body("").when().put("/index/" + bucket + "/text").then().statusCode(202);

        assertThat(list()).contains(index("[{'$**': 'text'}]"));
        before.then().body("id", contains(id));
        root.given().when().get(Client.queryPath(bucket, search)).then().body("id", contains(id));
        root.given().when().delete("/index/" + bucket + "/text").then().statusCode(202);
        assertThat(list()).hasSize(1);
        root.given().when().get(Client.queryPath(bucket, search)).then().body("id", contains(id));
    }

    @Test
    void near_withoutGeoIndex_is468AndWithOneSorted() {
        String far = anonymous.insert(bucket, "{\"place\":{\"latitude\":60,\"longitude\":100}}");
        String close = anonymous.insert(bucket, "{\"place\":{\"latitude\":1,\"longitude\":1}}");
        anonymous.insert(bucket, "{}");

        anonymous.given().when().get(Client.queryPath(bucket, NEAR_ZERO)).then().statusCode(468);
        create("[{\"place\":\"geo\"}]");
        anonymous.given().when().get(Client.queryPath(bucket, NEAR_ZERO)).then().body("id", contains(close, far));
        root.given().when().delete("/index/" + bucket).then().statusCode(202);
        root.given().when().get(Client.queryPath(bucket, NEAR_ZERO)).then().statusCode(468);
    }

    @Test
    void unique_compound_objectsThatLackAValueDoNotCollide() {
        String unique = "{\"keys\":[{\"name\":\"asc\"},{\"age\":\"asc\"}],\"unique\":true}";
        root.given().body(unique).when().post("/index/" + bucket).then().statusCode(202);
        anonymous.insert(bucket, "{\"name\":\"Ann\",\"age\":1}");

        anonymous.insert(bucket, "{\"name\":\"Ann\",\"age\":2}");
        anonymous.insert(bucket, "{\"name\":\"Ann\"}");
        anonymous.insert(bucket, "{\"name\":\"Ann\",\"age\":null}");

        anonymous
                .given()
                .body("{\"name\":\"Ann\",\"age\":1}")
                .when()
                .post("/db/" + bucket)
                .then()
                .statusCode(409);
    }

    @Test
    void unique_insertsThatRace_oneWins() {
        root.given()
                .body("{\"keys\":[{\"name\":\"asc\"}],\"unique\":true}")
                .when()
                .post("/index/" + bucket)
                .then()
                .statusCode(202);

        List<Integer> statuses = IntStream.range(0, 16)
                .parallel()
                .mapToObj(i ->
                        anonymous.post("/db/" + bucket, "{\"name\":\"same\"}").status())
                .toList();

        assertThat(statuses).containsOnlyOnce(201).containsOnly(201, 409);
    }
}
