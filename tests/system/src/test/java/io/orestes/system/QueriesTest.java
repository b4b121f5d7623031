package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasEntry;
import static org.hamcrest.Matchers.hasSize;

import io.orestes.support.http.Client;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries over HTTP (protocol §10): both methods, paging, order, counts. */
@ExtendWith(SharedBackend.class)
final class QueriesTest {

    private final Backend backend;
    private final Client client;
    private String bucket = "";

    QueriesTest(Backend backend) {
        this.backend = backend;
        this.client = backend.anonymous();
    }

    @BeforeEach
    void createPeople() {
        bucket = backend.newClass("name", "String", "age", "Integer", "born", "DateTime", "day", "Date");
        person("ann", "{\"name\":\"Ann\",\"age\":31,\"born\":\"1990-05-06T07:08:09.1Z\",\"day\":\"1990-05-06\"}");
        person("ben", "{\"name\":\"Ben\",\"age\":25,\"born\":\"1996-01-01T00:00:00Z\",\"day\":\"1996-01-01\"}");
        person("cid", "{\"name\":\"Cid\",\"age\":25,\"born\":\"1996-01-01T00:00:00.001Z\",\"day\":\"1996-01-02\"}");
        person("dee", "{}");
    }

    private void person(String key, String fields) {
        client.update("/db/" + bucket + "/" + key, fields);
    }

    /**
     * Returns keys of the objects that a query by GET finds; {@code parameters} are appended to the
     * URL.
     */
    private List<String> keys(String filter, String parameters) {
        Response answer = client.given().when().get("/db/" + bucket + "/query?q=" + Client.encode(filter) + parameters);
        return keys(answer);
    }

    private static List<String> keys(Response answer) {
        return answer.<List<String>>path("id").stream()
                .map(id -> id.substring(id.lastIndexOf('/') + 1))
                .toList();
    }

    private static String sort(String order) {
        return "&sort=" + Client.encode(order);
    }

    /**
     * Unset fields are stored as null, as long as the class has had them: only null distinguishes
     * set from unset.
     */
    @Test
    void query_fieldThatWasDeclaredLater_isUnsetForAllButExistsForNewObjectsOnly() {
        String declared = "{\"class\":\"/db/%s\",\"fields\":{\"late\":{\"name\":\"late\",\"type\":\"/db/String\"}}}"
                .formatted(bucket);
        backend.root().given().body(declared).when().post("/schema").then().statusCode(200);
        person("eve", "{}");
        person("fay", "{\"late\":\"x\"}");

        assertThat(keys("{\"late\":{\"$exists\":true}}", "")).containsExactly("eve", "fay");
        assertThat(keys("{\"late\":{\"$exists\":false}}", "")).containsExactly("ann", "ben", "cid", "dee");
        assertThat(keys("{\"late\":null}", "")).containsExactly("ann", "ben", "cid", "dee", "eve");
        assertThat(keys("{\"late\":{\"$ne\":null}}", "")).containsExactly("fay");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                   | ann ben cid dee",
                "{\"age\":25}                         | ben cid",
                "{\"age\":{\"$ne\":25}}               | ann dee",
                "{\"age\":null}                       | dee",
                "{\"age\":{\"$gte\":25,\"$lt\":31}}   | ben cid",
                "{\"name\":{\"$in\":[\"Ann\",\"Eve\"]}} | ann",
                "{\"name\":{\"$regex\":\"^[AB]\"}}    | ann ben",
                "{\"$or\":[{\"age\":31},{\"name\":\"Cid\"}]} | ann cid",
                "{\"$nor\":[{\"age\":31},{\"age\":null}]}    | ben cid",
                "{\"name\":{\"$not\":{\"$regex\":\"n$\"}}}   | cid dee",
                "{\"age\":{\"$mod\":[2,1]},\"name\":{\"$gt\":\"Ann\"}} | ben cid",
                "{\"version\":1}                      | ann ben cid dee",
                "{\"id\":{\"$regex\":\"nn$\"}}        | ann",
                "{\"born\":{\"$date\":\"1996-01-01T00:00:00.000Z\"}}          | ben",
                "{\"born\":{\"$gt\":{\"$date\":\"1996-01-01T00:00:00Z\"}}}    | cid",
                "{\"born\":{\"$lt\":{\"$date\":\"1990-05-06T07:08:09.100Z\"}}}  | ''",
                "{\"day\":{\"$date\":\"1996-01-02T23:59:00.000Z\"}}           | cid",
                "{\"createdAt\":{\"$gt\":{\"$date\":\"1970-01-01T00:00:00.000Z\"}}} | ann ben cid dee",
            })
    void query_findsWhatMatches_byEveryMethod(String filter, String keys) {
        List<String> expected = keys.isEmpty() ? List.of() : List.of(keys.split(" ", -1));
        Response posted =
                client.given().contentType(ContentType.TEXT).body(filter).when().post("/db/" + bucket + "/query");
        Response counted = client.given().when().get("/db/" + bucket + "/count?q=" + Client.encode(filter));

        assertThat(keys(filter, "")).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(keys(filter, sort("{\"id\":1}"))).isEqualTo(expected);
        assertThat(keys(posted)).containsExactlyInAnyOrderElementsOf(expected);
        counted.then().body("count", equalTo(expected.size()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"age\":1}             | dee ben cid ann",
                "{\"age\":-1}            | ann ben cid dee",
                "{\"age\":1,\"name\":-1} | dee cid ben ann",
                "{\"name\":-1}           | cid ben ann dee",
                "{\"id\":-1}             | dee cid ben ann",
                "{\"born\":1}            | dee ann ben cid",
            })
    void query_sort_isFollowedAndTiesGoById(String order, String keys) {
        assertThat(keys("{}", sort(order))).containsExactly(keys.split(" ", -1));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 2, ann ben",
        "1, 2, ben cid",
        "3, 2, dee",
        "4, 2, ''",
        "0, 0, ''",
        "0, -1, ann ben cid dee",
        "2, -1, cid dee",
        "1000000, 1, ''"
    })
    void query_startAndCount_cutThePage(int start, int count, String keys) {
        List<String> expected = keys.isEmpty() ? List.of() : List.of(keys.split(" ", -1));

        assertThat(keys("{}", sort("{\"id\":1}") + "&start=" + start + "&count=" + count))
                .isEqualTo(expected);
    }

    @Test
    void query_notEager_givesIdsAndVersions() {
        client.update("/db/" + bucket + "/ann", "{\"name\":\"Anna\"}");

        Response answer = client.given()
                .when()
                .get("/db/" + bucket + "/query?eager=false&sort=" + Client.encode("{\"id\":1}") + "&count=2");

        answer.then()
                .body("[0]", hasEntry("/db/" + bucket + "/ann", 2))
                .body("[1]", hasEntry("/db/" + bucket + "/ben", 1));
    }

    @Test
    void query_results_areCompleteObjects() {
        Response answer = client.given().when().get(Client.queryPath(bucket, "{\"name\":\"Ann\"}"));

        Response ann = client.given().when().get("/db/" + bucket + "/ann");
        answer.then().body("[0]", equalTo(ann.<Object>path("")));
    }

    @Test
    void query_unreadableObjects_areNeitherFoundNorCountedNorSkipped() {
        String secret = "{\"name\":\"Aaron\",\"acl\":{\"read\":{\"/db/User/1\":\"allow\"}}}";
        backend.root().insert(bucket, secret);

        assertThat(keys("{}", sort("{\"name\":-1}") + "&start=2&count=2")).containsExactly("ann", "dee");
        assertThat(client.count(bucket)).isEqualTo(4);
        assertThat(backend.root().count(bucket)).isEqualTo(5);
    }

    @Test
    void query_moreThanTheMaximum_isCutAt500() {
        StringBuilder objects = new StringBuilder("[");
        for (int i = 0; i < 520; i++) {
            objects.append(i == 0 ? "" : ",").append("{\"id\":\"/db/%s/many%03d\"}".formatted(bucket, i));
        }
        backend.root()
                .given()
                .body(objects + "]")
                .when()
                .put("/db/" + bucket)
                .then()
                .statusCode(200);

        client.given().when().get(Client.queryPath(bucket, "{}")).then().body("id", hasSize(500));
        assertThat(keys("{}", "&count=1000")).hasSize(500);
        assertThat(keys("{}", sort("{\"id\":1}") + "&start=500")).hasSize(24);
        assertThat(client.count(bucket)).isEqualTo(524);
    }

    @Test
    void query_inBrowsers_isNotCacheable() {
        String control =
                client.given().when().get(Client.queryPath(bucket, "{}")).header("cache-control");

        assertThat(control).containsAnyOf("no-cache", "max-age=0").doesNotContainPattern("(?<!s-)max-?age=[1-9]");
    }

    @Test
    void query_nearAPlace_ordersByDistanceUnlessSorted() {
        bucket = backend.newClass("place", "GeoPoint");
        person("hamburg", "{\"place\":{\"latitude\":53.55,\"longitude\":9.99}}");
        person("berlin", "{\"place\":{\"latitude\":52.52,\"longitude\":13.4}}");
        person("sydney", "{\"place\":{\"latitude\":-33.87,\"longitude\":151.21}}");
        String near = "{\"place\":{\"$nearSphere\":{\"$geometry\":{\"type\":\"Point\",\"coordinates\":[11.58,48.14]},"
                + "\"$maxDistance\":1000000}}}";
        backend.root()
                .given()
                .body("{\"keys\":[{\"place\":\"geo\"}]}")
                .when()
                .post("/index/" + bucket)
                .then()
                .statusCode(202);

        assertThat(keys(near, "")).containsExactly("berlin", "hamburg");
        assertThat(keys(near, sort("{\"id\":-1}"))).containsExactly("hamburg", "berlin");
    }

    @Test
    void query_ofOneHundredKilobytes_isReadFromTheBody() {
        String names =
                IntStream.range(0, 12_000).mapToObj(i -> "\"name" + i + "\"").collect(Collectors.joining(","));
        String filter = "{\"name\":{\"$in\":[\"Ann\"," + names + "]}}";

        Response found = client.given()
                .contentType("text/plain;charset=utf-8")
                .body(filter)
                .when()
                .post("/db/" + bucket + "/query?count=5");
        Response counted =
                client.given().contentType(ContentType.TEXT).body(filter).when().post("/db/" + bucket + "/count");

        assertThat(filter).hasSizeGreaterThan(100_000);
        assertThat(keys(found)).containsExactly("ann");
        counted.then().body("count", equalTo(1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"$where\":\"true\"}                                   | {}             | 468",
                "{\"age\":{\"$where\":\"true\"}}                         | {}             | 468",
                "{\"$expr\":{\"$function\":{\"body\":\"\",\"args\":[]}}} | {}             | 468",
                "{                                                       | {}             | 471",
                "[]                                                      | {}             | 471",
                "{\"$or\":7}                                             | {}             | 471",
                "{\"age\":{\"$gt\":1,\"x\":2}}                           | {}             | 471",
                "{\"born\":{\"$date\":\"soon\"}}                         | {}             | 471",
                "{\"_readAllowed\":1}                                    | {}             | 471",
                "{}                                                      | [1]            | 471",
                "{}                                                      | {\"age\":2}    | 471",
                "{}                                                      | {\"age\":\"a\"} | 471",
                "{}                                                      | {\"age\":{\"$meta\":\"textScore\"}} | 468",
            })
    void query_unsupported_namesTheReason(String filter, String order, int status) {
        String parameters = "?q=" + Client.encode(filter) + sort(order);

        client.given()
                .when()
                .get("/db/" + bucket + "/query" + parameters)
                .then()
                .statusCode(status);
        client.given()
                .when()
                .get("/db/" + bucket + "/query" + parameters + "&hinted=true&eager=false")
                .then()
                .statusCode(status);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"tags\":\"a\"}                                      | one",
                "{\"tags\":{\"$all\":[\"a\",\"b\"]}}                   | one",
                "{\"tags\":{\"$size\":1}}                              | two",
                "{\"marks\":{\"$in\":[3,4]}}                           | two",
                "{\"map.k.1\":1}                                       | ''",
                "{\"map.k\":1}                                         | one",
                "{\"owner\":\"/db/User/1\"}                            | one",
                "{\"owner\":{\"$in\":[\"/db/User/2\",\"/db/User/3\"]}} | two",
                "{\"data.x.y\":2}                                      | one",
                "{\"data\":{\"x\":{\"y\":2},\"z\":1}}                  | one",
                "{\"data\":{\"x\":{\"y\":2}}}                          | ''",
                "{\"at\":{\"$date\":\"2020-02-02T05:06:07.000Z\"}}     | one",
                "{\"at\":{\"$gt\":\"05:06:07Z\"}}                      | two",
                "{\"id\":{\"$in\":[\"/db/BUCKET/two\",\"/db/User/1\"]}} | two",
                "{\"version\":{\"$gte\":2}}                            | ''",
                "{\"acl\":null}                                        | one two",
            })
    void query_valuesOfEveryKind_areCompared(String filter, String keys) {
        bucket = backend.newClass(
                "tags", "collection.List[/db/String]",
                "marks", "collection.Set[/db/Integer]",
                "map", "collection.Map[/db/String,/db/Integer]",
                "owner", "User",
                "data", "JsonObject",
                "at", "Time");
        person(
                "one",
                "{\"tags\":[\"a\",\"b\"],\"marks\":[1],\"map\":{\"k\":1},\"owner\":\"/db/User/1\","
                        + "\"data\":{\"x\":{\"y\":2},\"z\":1},\"at\":\"05:06:07Z\"}");
        person(
                "two",
                "{\"tags\":[\"c\"],\"marks\":[2,3],\"map\":{},\"owner\":\"/db/User/2\","
                        + "\"data\":{\"z\":1},\"at\":\"15:06:07Z\"}");

        assertThat(keys(filter.replace("BUCKET", bucket), sort("{\"id\":1}")))
                .isEqualTo(keys.isEmpty() ? List.of() : List.of(keys.split(" ", -1)));
    }
}
