package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Prepared queries (protocol §10.5). */
@ExtendWith(SharedBackend.class)
final class PreparedQueriesTest {

    private final Backend backend;
    private final Client anonymous;
    private final Client root;
    private String bucket = "";

    PreparedQueriesTest(Backend backend) {
        this.backend = backend;
        this.anonymous = backend.anonymous();
        this.root = backend.root();
    }

    @BeforeEach
    void createPeople() {
        bucket = backend.newClass("name", "String", "age", "Integer", "born", "DateTime", "boss", "User");
        anonymous.update(
                "/db/" + bucket + "/ann",
                "{\"name\":\"Ann\",\"age\":31,\"born\":\"1990-05-06T07:08:09Z\",\"boss\":\"/db/User/1\"}");
        anonymous.update("/db/" + bucket + "/ben", "{\"name\":\"Ben\",\"age\":25}");
        anonymous.update("/db/" + bucket + "/cid", "{\"name\":\"Cid\",\"age\":25}");
    }

    /** Prepares a query and returns its path. */
    private String prepare(String query, String parameters) {
        Answer created = root.post("/query", definition(query, parameters));
        assertThat(created.status()).as(created.text()).isEqualTo(201);
        return created.header("location").orElseThrow().substring("/v1".length());
    }

    private String definition(String query, String parameters) {
        return "{\"bucket\":\"%s\",\"query\":%s,\"sort\":{\"name\":-1},\"parameters\":%s}"
                .formatted(bucket, query, parameters);
    }

    private static final String BY_AGE = "{\"age\":{\"$gte\":{\"$param\":\"least\"}}}";
    private static final String LEAST = "{\"least\":\"/db/Integer\"}";

    @Test
    void create_thenGet_showsWhatWasPrepared() {
        String path = prepare(BY_AGE, LEAST);

        assertThat(anonymous.get(path).object())
                .containsAllEntriesOf(BsonDocument.parse(definition(BY_AGE, LEAST)))
                .containsKey("id");
        assertThat(anonymous.get(path + "/source").object()).isEqualTo(BsonDocument.parse(BY_AGE));
        assertThat(anonymous.get(path + "/parameters").object()).isEqualTo(BsonDocument.parse(LEAST));
        assertThat(root.get("/query").array()).contains(anonymous.get(path).object());
    }

    @Test
    void result_isThatOfTheQueryWithItsValues() {
        String path = prepare(BY_AGE, LEAST);

        assertThat(anonymous.get(path + "/result?least=25").ids())
                .containsExactly("/db/" + bucket + "/cid", "/db/" + bucket + "/ben", "/db/" + bucket + "/ann");
        assertThat(anonymous.get(path + "/result?least=25&start=1&count=1").ids())
                .containsExactly("/db/" + bucket + "/ben");
        assertThat(anonymous.get(path + "/result?least=26").ids()).containsExactly("/db/" + bucket + "/ann");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "name   | /db/String                           | Ann                                      | 1",
                "name   | /db/String                           | {\"$ne\":null}                           | 0",
                "name   | /db/String                           | $name                                    | 0",
                "born   | /db/DateTime                         | 1990-05-06T07:08:09.000Z                 | 1",
                "boss   | /db/User                             | /db/User/1                               | 1",
                "age    | /db/Double                           | 31                                       | 1",
            })
    void result_valueOfAnyType_isAValueAndNothingElse(String field, String type, String value, int found) {
        String path = prepare("{\"%s\":{\"$param\":\"p\"}}".formatted(field), "{\"p\":\"%s\"}".formatted(type));

        Answer result = anonymous.get(path + "/result?p=" + Client.encode(value));

        assertThat(result.status()).as(result.text()).isEqualTo(200);
        assertThat(result.array()).hasSize(found);
    }

    @Test
    void result_listOfValues_isTakenByIn() {
        String path = prepare("{\"name\":{\"$in\":{\"$param\":\"p\"}}}", "{\"p\":\"/db/collection.List[/db/String]\"}");

        assertThat(anonymous
                        .get(path + "/result?p=" + Client.encode("[\"Ann\",\"Cid\"]"))
                        .array())
                .hasSize(2);
        assertThat(anonymous
                        .get(path + "/result?p=" + Client.encode("[{\"$ne\":1}]"))
                        .status())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource({"''", "?least=x", "?least=1.5", "?least=%22a%22", "?least=%7B%22%24gt%22%3A1%7D", "?least=1&count=x"})
    void result_valueMissingOrNotOfItsType_is400(String parameters) {
        assertThat(anonymous
                        .get(prepare(BY_AGE, LEAST) + "/result" + parameters)
                        .status())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"age\":{\"$param\":\"other\"}}                       | {\"p\":\"/db/Integer\"}    | 471",
                "{\"age\":{\"$param\":\"p\",\"x\":1}}                   | {\"p\":\"/db/Integer\"}    | 471",
                "{\"age\":{\"$nothing\":{\"$param\":\"p\"}}}            | {\"p\":\"/db/Integer\"}    | 468",
                "{\"$where\":{\"$param\":\"p\"}}                        | {\"p\":\"/db/String\"}     | 468",
                "{\"$expr\":{\"$eq\":[\"$age\",{\"$param\":\"p\"}]}}    | {\"p\":\"/db/String\"}     | 468",
                "{\"age\":{\"$param\":\"p\"}}                           | {\"p\":\"/db/JsonObject\"} | 400",
                "{\"age\":{\"$param\":\"p\"}}                           | {\"p\":7}                  | 400",
                "{\"boss\":{\"$param\":\"p\"}}                          | {\"p\":\"/db/NoSuchClass\"} | 400",
                "{\"boss\":{\"$in\":{\"$param\":\"p\"}}}                  | "
                        + "{\"p\":\"/db/collection.List[/db/NoSuch]\"} | 400",
                "{}                                                     | {\"p\":\"/db/NoSuchClass\"} | 400",
                "{\"age\":{\"$param\":\"count\"}}                       | {\"count\":\"/db/String\"} | 400",
                "[]                                                     | {}                         | 400",
            })
    void create_impossibleQuery_isRefused(String query, String parameters, int status) {
        assertThat(root.post("/query", definition(query, parameters)).status()).isEqualTo(status);
    }

    @Test
    void result_classOfAParameterWasDroppedLater_isStillThatOfTheQuery() {
        String other = backend.newClass();
        String path = prepare("{\"name\":{\"$ne\":{\"$param\":\"p\"}}}", "{\"p\":\"/db/%s\"}".formatted(other));
        assertThat(root.delete("/schema/" + other).status()).isEqualTo(204);

        assertThat(anonymous
                        .get(path + "/result?p=" + Client.encode("/db/" + other + "/1"))
                        .array())
                .hasSize(3);
    }

    @Test
    void create_unknownClass_is461_andByOthersThanAdmins466() {
        assertThat(root.post("/query", "{\"bucket\":\"NoSuchClass\",\"query\":{}}")
                        .status())
                .isEqualTo(461);
        assertThat(anonymous.post("/query", definition("{}", "{}")).status()).isEqualTo(466);
        assertThat(anonymous.get("/query").status()).isEqualTo(466);
    }

    @Test
    void deletedQuery_is467_andUnknownQueryIs404() {
        String path = prepare(BY_AGE, LEAST);
        assertThat(anonymous.delete(path).status()).isEqualTo(466);
        assertThat(root.delete(path).status()).isEqualTo(204);

        assertThat(anonymous.get(path).status()).isEqualTo(467);
        assertThat(anonymous.get(path + "/source").status()).isEqualTo(467);
        assertThat(anonymous.get(path + "/result?least=1").status()).isEqualTo(467);
        assertThat(root.delete(path).status()).isEqualTo(467);
        assertThat(anonymous.get("/query/never/result").status()).isEqualTo(404);
        assertThat(root.get("/query").text()).doesNotContain(path);
    }

    @Test
    void result_objectsThatTheCallerMayNotRead_areNotInIt() {
        root.insert(bucket, "{\"name\":\"Zoe\",\"age\":99,\"acl\":{\"read\":{\"/db/User/1\":\"allow\"}}}");
        String path = prepare(BY_AGE, LEAST);

        assertThat(anonymous.get(path + "/result?least=99").array()).isEmpty();
        assertThat(root.get(path + "/result?least=99").array()).hasSize(1);
    }

    @Test
    void result_sharesTheCopyOfTheOrdinaryQuery_whichWritesEnd() {
        String path = prepare(BY_AGE, LEAST);
        Answer ordinary = anonymous.get("/db/" + bucket + "/query?q=" + Client.encode("{\"age\":{\"$gte\":31}}")
                + "&sort=" + Client.encode("{\"name\":-1}"));

        Answer first = anonymous.get(path + "/result?least=31");
        anonymous.update("/db/" + bucket + "/ben", "{\"name\":\"Ben\",\"age\":50}");

        assertThat(ordinary.status()).isEqualTo(200);
        assertThat(first.header("orestes-cache")).contains("hit");
        assertThat(first.header("cache-control")).contains("private, no-cache");
        assertThat(anonymous.get(path + "/result?least=31").array()).hasSize(2);
    }
}
