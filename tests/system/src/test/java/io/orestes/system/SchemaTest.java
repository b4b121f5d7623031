package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.both;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.oneOf;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.http.LiveStream;
import io.restassured.response.Response;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading and changing classes over HTTP (protocol §7). */
@ExtendWith(SharedBackend.class)
final class SchemaTest {

    private final Backend backend;
    private final Client anonymous;
    private final Client root;
    private String bucket = "";

    SchemaTest(Backend backend) {
        this.backend = backend;
        this.anonymous = backend.anonymous();
        this.root = backend.root();
    }

    @BeforeEach
    void createClass() {
        bucket = backend.newClass("text", "String");
    }

    private String descriptor(String fields) {
        return "{\"class\":\"/db/%s\",\"fields\":{%s}}".formatted(bucket, fields);
    }

    private static String field(String name, String type) {
        return "\"%1$s\":{\"name\":\"%1$s\",\"type\":\"%2$s\"}".formatted(name, type);
    }

    @Test
    void get_ofOneAndOfAll_agree() {
        Response one = anonymous.given().when().get("/schema/" + bucket);
        Response all = anonymous.given().when().get("/schema");

        all.then().body("", hasItem(one.<Object>path("")));
        one.then().body("fields.keySet()", contains("text")).body("superClass", equalTo("/db/Object"));
    }

    @Test
    void get_unknownClass_is461() {
        anonymous.given().when().get("/schema/Nowhere").then().statusCode(461);
        root.given().when().delete("/schema/Nowhere").then().statusCode(461);
    }

    @Test
    void merge_newField_isAddedAndNothingIsRemoved() {
        Response merged =
                root.given().body(descriptor(field("n", "/db/Integer"))).when().post("/schema");

        merged.then().statusCode(200);
        merged.then().body("size()", greaterThan(5));
        anonymous
                .given()
                .when()
                .get("/schema/" + bucket)
                .then()
                .body("fields.keySet()", containsInAnyOrder("text", "n"));
    }

    @Test
    void merge_newField_isNullInOldObjectsEvenIfTheyAreCached() {
        String id = anonymous.insert(bucket, "{\"text\":\"a\"}");
        anonymous.given().when().get(id).then().body("$", not(hasKey("n")));
        anonymous.given().when().get(Client.queryPath(bucket, "{}")).then().body("id", contains(id));

        root.given()
                .body(descriptor(field("n", "/db/Integer")))
                .when()
                .post("/schema")
                .then()
                .statusCode(200);

        anonymous.given().when().get(id).then().body("$", hasKey("n")).body("n", nullValue());
        anonymous
                .given()
                .when()
                .get(Client.queryPath(bucket, "{}"))
                .then()
                .body("[0]", hasKey("n"))
                .body("[0].n", nullValue());
    }

    /**
     * Older and newer objects are equal to the same literals, in which every field is set or null.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void merge_newFieldOfEmbeddedClass_leavesObjectsEqualToLiterals(boolean isIndexed) throws Exception {
        embed("street");
        if (isIndexed) {
            root.given()
                    .body("{\"keys\":[{\"home\":\"asc\"}]}")
                    .when()
                    .post("/index/" + bucket)
                    .then()
                    .statusCode(both(greaterThanOrEqualTo(200)).and(lessThanOrEqualTo(204)));
        }
        String old = anonymous.insert(
                bucket, "{\"home\":{\"street\":\"a\"},\"others\":[{\"street\":\"b\"},{\"street\":\"c\"}]}");
        String other = anonymous.insert(bucket, "{\"home\":{\"street\":\"z\"},\"others\":[]}");

        embed("street", "zip");

        assertThat(found("{'home':{'street':'a'}}")).containsExactly(old);
        assertThat(found("{'home':{'street':'a','zip':null}}")).containsExactly(old);
        assertThat(found("{'home':{'street':'a','zip':'1'}}")).isEmpty();
        assertThat(found("{'home':{'$ne':{'street':'a'}}}")).containsExactly(other);
        assertThat(found("{'home':{'$in':[{'street':'a'},{'street':'q'}]}}")).containsExactly(old);
        assertThat(found("{'home':{'$nin':[{'street':'a'},{'street':'q'}]}}")).containsExactly(other);
        assertThat(found("{'others':{'street':'c'}}")).containsExactly(old);
        assertThat(found("{'others':[{'street':'b'},{'street':'c'}]}")).containsExactly(old);
        assertThat(found("{'others':{'$all':[{'street':'c'},{'street':'b'}]}}")).containsExactly(old);
        assertThat(found("{'others':{'$elemMatch':{'$eq':{'street':'c'}}}}")).containsExactly(old);
        assertThat(found("{'others':{'$not':{'$elemMatch':{'$eq':{'street':'c'}}}}}"))
                .containsExactly(other);
        String literal = "q=" + Client.encode("{\"home\":{\"street\":\"a\"}}");
        try (LiveStream live = LiveStream.open(anonymous, bucket, literal)) {
            assertThat(live.next().array()).hasSize(1);
            anonymous
                    .given()
                    .body("{\"$set\":{\"text\":\"b\"}}")
                    .when()
                    .post(old)
                    .then()
                    .statusCode(200);
            assertThat(live.next().summary()).isEqualTo("change update " + old);
            String young = anonymous.insert(bucket, "{\"home\":{\"street\":\"a\"}}");
            assertThat(live.next().summary()).isEqualTo("add insert " + young);
            assertThat(found("{'home':{'street':'a'}}")).containsExactlyInAnyOrder(old, young);
        }
    }

    private List<String> found(String filter) {
        return anonymous
                .given()
                .when()
                .get(Client.queryPath(bucket, filter.replace('\'', '"')))
                .path("id");
    }

    /** Adds objects of an embedded class with these fields to the class. */
    private void embed(String... names) {
        String fields = Stream.of(names).map(name -> field(name, "/db/String")).collect(Collectors.joining(","));
        Response merged = root.given()
                .body("[{\"class\":\"/db/Part%1$s\",\"embedded\":true,\"fields\":{%2$s}},%3$s]"
                        .formatted(
                                bucket,
                                fields,
                                descriptor(field("home", "/db/Part" + bucket) + ","
                                        + field("others", "/db/collection.List[/db/Part" + bucket + "]"))))
                .when()
                .post("/schema");
        merged.then().statusCode(200);
    }

    @Test
    void rename_cachedObjectsAndQueries_areReadAnewByEverybody() {
        String id = anonymous.insert(bucket, "{\"text\":\"a\"}");
        anonymous.given().when().get(id).then().body("text", equalTo("a"));
        anonymous.given().when().get(Client.queryPath(bucket, "{}")).then().body("id", contains(id));

        root.given().body(rename("text", "title")).when().post("/schema").then().statusCode(200);

        anonymous
                .given()
                .when()
                .get(id)
                .then()
                .body("title", equalTo("a"))
                .body("$", not(hasKey("text")))
                .body("version", equalTo(2));
        anonymous
                .given()
                .when()
                .get(Client.queryPath(bucket, "{\"title\":\"a\"}"))
                .then()
                .body("id", contains(id));
        assertThat(new BloomFilterReader(anonymous.get("/bloomfilter").object()).contains(id))
                .isTrue();
    }

    @Test
    void rename_whileObjectsAreWritten_losesNone() {
        List<String> ids = IntStream.range(0, 40)
                .mapToObj(i -> anonymous.insert(bucket, "{\"text\":\"0\"}"))
                .toList();
        CompletableFuture<Answer> renamed = new CompletableFuture<>();
        for (int i = 0; i < ids.size(); i++) {
            if (i == 10) {
                renamed = CompletableFuture.supplyAsync(() -> root.post("/schema", rename("text", "title")));
            }
            Answer old = anonymous.put(ids.get(i), "{\"text\":\"1\"}");
            assertThat(old.status()).isIn(200, 463);
            if (old.status() != 200) {
                assertThat(renamed.join().status()).isEqualTo(200);
                anonymous
                        .given()
                        .body("{\"title\":\"1\"}")
                        .when()
                        .put(ids.get(i))
                        .then()
                        .statusCode(200);
            }
        }
        assertThat(renamed.join().status()).isEqualTo(200);

        assertThat(ids).allSatisfy(id -> anonymous.given().when().get(id).then().body("title", equalTo("1")));
    }

    /** The writers wait, and are checked by the new schema. */
    @Test
    void rename_ofManyObjects_makesWritersWaitAndRefusesNone() {
        root.given()
                .body(descriptor(field("n", "/db/Integer")))
                .when()
                .post("/schema")
                .then()
                .statusCode(200);
        String objects = IntStream.range(0, 20_000)
                .mapToObj(i -> "{\"id\":\"/db/%s/k%d\",\"text\":\"0\"}".formatted(bucket, i))
                .collect(Collectors.joining(",", "[", "]"));
        root.given().body(objects).when().put("/db/" + bucket).then().body("", empty());
        String id = "/db/" + bucket + "/k19999";
        CompletableFuture<Answer> renamed =
                CompletableFuture.supplyAsync(() -> root.post("/schema", rename("text", "title")));

        int writes = 0;
        while (!renamed.isDone()) {
            assertThat(anonymous.post(id, "{\"$inc\":{\"n\":1}}").status()).isEqualTo(200);
            assertThat(anonymous
                            .post(
                                    "/db/" + bucket + "/bulk",
                                    "{\"operations\":[{\"update\":{\"$inc\":{\"n\":1}},\"id\":\"%s\"}]}".formatted(id))
                            .text())
                    .contains("\"status\":200");
            writes += 2;
        }

        assertThat(renamed.join().status()).isEqualTo(200);
        // each write was done once
        anonymous.given().when().get(id).then().body("n", equalTo(writes)).body("version", equalTo(writes + 2));
    }

    @Test
    void rename_liveQueriesOnTheClass_endWithAReason() throws Exception {
        try (LiveStream live = LiveStream.open(anonymous, bucket, "q=%7B%7D")) {
            assertThat(live.next().array()).isEmpty();

            root.given()
                    .body(rename("text", "title"))
                    .when()
                    .post("/schema")
                    .then()
                    .statusCode(200);

            LiveStream.Event end = live.next();
            assertThat(end.name()).isEqualTo("error");
            assertThat(end.text()).contains("469");
        }
    }

    @Test
    void remove_andAddAgain_oldValuesStayAway() {
        String id = anonymous.insert(bucket, "{\"text\":\"a\"}");

        root.given()
                .body(descriptor(field("n", "/db/Integer")))
                .when()
                .put("/schema/" + bucket)
                .then()
                .statusCode(200);
        root.given()
                .body(descriptor(field("text", "/db/String")))
                .when()
                .post("/schema")
                .then()
                .statusCode(200);

        anonymous.given().when().get(id).then().body("$", hasKey("text")).body("text", nullValue());
    }

    private String rename(String from, String to) {
        return "{\"operation\":\"renameField\",\"bucket\":\"/db/%s\",\"from\":\"%s\",\"to\":\"%s\"}"
                .formatted(bucket, from, to);
    }

    @Test
    void merge_fieldOfAnotherType_is469() {
        Response refused = root.given()
                .body(descriptor(field("text", "/db/Integer")))
                .when()
                .post("/schema");

        refused.then().statusCode(469);
    }

    @Test
    void merge_staleAcl_isNotApplied() {
        Response merged = root.given()
                .body("{\"class\":\"/db/%s\",\"fields\":{},\"acl\":{\"load\":{\"/db/Role/1\":\"allow\"}}}"
                        .formatted(bucket))
                .when()
                .post("/schema");

        merged.then().statusCode(200);
        anonymous.given().when().get("/db/" + bucket + "/x").then().statusCode(404);
    }

    @Test
    void merge_oneOfSeveralIsRefused_nothingIsChanged() {
        String other = "Never" + bucket;

        Response refused = root.given()
                .body("[{\"class\":\"/db/%s\",\"fields\":{}},%s]"
                        .formatted(other, descriptor(field("text", "/db/Integer"))))
                .when()
                .post("/schema");

        refused.then().statusCode(469);
        anonymous.given().when().get("/schema/" + other).then().statusCode(461);
    }

    @Test
    void change_byOthersThanAdmins_is466() {
        anonymous
                .given()
                .body(descriptor(field("n", "/db/Integer")))
                .when()
                .post("/schema")
                .then()
                .statusCode(466);
        anonymous.given().body(descriptor("")).when().post("/schema").then().statusCode(466);
        anonymous
                .given()
                .body("{\"class\":\"/db/Fresh" + bucket + "\",\"fields\":{}}")
                .when()
                .post("/schema/Fresh" + bucket)
                .then()
                .statusCode(466);
        anonymous
                .given()
                .body(descriptor(""))
                .when()
                .put("/schema/" + bucket)
                .then()
                .statusCode(466);
        anonymous.given().body("[]").when().put("/schema").then().statusCode(466);
        anonymous.given().when().delete("/schema/" + bucket).then().statusCode(466);
        anonymous.given().when().get("/schema/" + bucket).then().body("fields.keySet()", contains("text"));
    }

    @Test
    void merge_largerThanAnObjectMayBe_isReadForAdminsOnly() {
        String remark = "x".repeat(10_000);
        String large = IntStream.range(0, 120)
                .mapToObj(i -> "{\"class\":\"/db/Large%s\",\"metadata\":{\"remark\":\"%s\"}}".formatted(i, remark))
                .collect(Collectors.joining(",", "[", ",{\"class\":\"/db/Large\",\"superClass\":\"/db/Nowhere\"}]"));

        root.given().body(large).when().post("/schema").then().statusCode(469);
        anonymous.given().body(large).when().post("/schema").then().statusCode(413);
    }

    @Test
    void classAcl_narrowed_appliesToEveryOperation() {
        String id = anonymous.insert(bucket, "{\"text\":\"a\"}");
        anonymous.given().when().get(id).then().statusCode(200);
        String admins = "{\"/db/Role/1\":\"allow\"}";

        Response narrowed = root.given()
                .body(("{\"operation\":\"updateClassAcl\",\"bucket\":\"/db/%1$s\",\"acl\":{\"load\":%2$s,"
                                + "\"insert\":%2$s,"
                                + "\"update\":%2$s,\"delete\":%2$s,\"query\":%2$s,\"schemaAdd\":%2$s,"
                                + "\"schemaReplace\":%2$s,\"schemaSubclass\":%2$s}}")
                        .formatted(bucket, admins))
                .when()
                .post("/schema");

        narrowed.then().statusCode(200);
        anonymous.given().when().get(id).then().statusCode(466);
        anonymous.given().when().get(Client.queryPath(bucket, "{}")).then().statusCode(466);
        anonymous.given().when().get("/db/" + bucket + "/count").then().statusCode(466);
        anonymous.given().when().get("/db/" + bucket + "/events").then().statusCode(466);
        anonymous.given().body("{}").when().post("/db/" + bucket).then().statusCode(466);
        anonymous
                .given()
                .body("{}")
                .header("If-Match", "*")
                .when()
                .put(id)
                .then()
                .statusCode(466);
        anonymous.given().when().delete(id).then().statusCode(466);
        root.given().when().get(id).then().statusCode(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/db/Nowhere",
                "/db/collection.List[/db/Nowhere]",
                "/db/collection.List[/db/collection.List[/db/String]]",
                "/db/collection.Bag[/db/String]",
                "String",
                "/db/"
            })
    void merge_fieldOfUnknownType_isRefused(String type) {
        Response refused =
                root.given().body(descriptor(field("odd", type))).when().post("/schema");

        refused.then().statusCode(is(oneOf(400, 461, 469)));
        anonymous.given().when().get("/schema/" + bucket).then().body("fields.keySet()", contains("text"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "1",
                "[1]",
                "{\"class\":1}",
                "{\"class\":\"Thing\"}",
                "{\"class\":\"/db/a b\",\"fields\":{}}",
                "{\"class\":\"/db/_x\",\"fields\":{}}",
                "{\"class\":\"/db/X\",\"fields\":[]}",
                "{\"class\":\"/db/X\",\"fields\":{\"a b\":{\"name\":\"a b\",\"type\":\"/db/String\"}}}",
                "{\"class\":\"/db/X\",\"fields\":{\"a\":{\"name\":\"b\",\"type\":\"/db/String\"}}}",
                "{\"class\":\"/db/X\",\"fields\":{},\"acl\":{\"fly\":{}}}",
                "{\"class\":\"/db/X\",\"fields\":{},\"superClass\":\"/db/Nowhere\"}",
                "{\"operation\":\"explode\",\"bucket\":\"/db/User\"}",
                "{\"operation\":\"addField\"}"
            })
    void merge_invalidDescriptor_isRefused(String body) {
        root.given().body(body).when().post("/schema").then().statusCode(is(oneOf(400, 461, 462, 463, 469)));
        anonymous.given().when().get("/schema/X").then().statusCode(461);
    }

    @Test
    void delete_referencedClass_is474UntilTheReferencesAreDeleted() {
        String user = "Uses" + bucket;
        root.given()
                .body("{\"class\":\"/db/%s\",\"fields\":{%s}}".formatted(user, field("r", "/db/" + bucket)))
                .when()
                .post("/schema")
                .then()
                .statusCode(200);

        root.given().when().delete("/schema/" + bucket).then().statusCode(474);
        root.given().when().delete("/schema/" + user).then().statusCode(204);
        root.given().when().delete("/schema/" + bucket).then().statusCode(204);
        anonymous.given().when().get("/db/" + bucket + "/x").then().statusCode(461);
    }

    @Test
    void delete_class_takesItsObjectsAlong() {
        String id = anonymous.insert(bucket, "{\"text\":\"a\"}");
        anonymous.given().when().get(id).then().statusCode(200);

        root.given().when().delete("/schema/" + bucket).then().statusCode(204);
        root.given().body(descriptor("")).when().post("/schema").then().statusCode(200);

        anonymous.given().when().get(id).then().statusCode(404);
        assertThat(anonymous.count(bucket)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Object", "User", "Role"})
    void delete_builtInClass_isRefused(String name) {
        root.given()
                .when()
                .delete("/schema/" + name)
                .then()
                .statusCode(both(greaterThanOrEqualTo(400)).and(lessThanOrEqualTo(499)));
        anonymous.given().when().get("/schema/" + name).then().statusCode(200);
    }
}
