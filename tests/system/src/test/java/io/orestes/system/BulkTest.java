package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.http.LiveStream;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
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
        Answer refused = root.put("/db/" + bucket, "[]", "Content-Encoding", "gzip");

        assertThat(refused.status()).isEqualTo(415);
        assertThat(refused.header("accept-encoding")).hasValue("identity");
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

        Answer answer = root.post("/db/Role/bulk", "{\"operations\":[{\"insert\":" + role + "}]}");

        BsonDocument result = answer.object().getArray("results").get(0).asDocument();
        assertThat(result.getNumber("status").intValue()).isEqualTo(201);
        assertThat(root.get(result.getString("id").getValue())
                        .object()
                        .getString("name")
                        .getValue())
                .isEqualTo(bucket);
    }

    @Test
    void names_listEveryEntityClass() {
        assertThat(client.get("/db").array())
                .contains(new BsonString("/db/" + bucket), new BsonString("/db/User"))
                .doesNotContain(new BsonString("/db/String"));
    }

    @Test
    void importExportTruncate_ofManyPages_areComplete() {
        Answer imported = root.put("/db/" + bucket, objects(450));
        Answer exported = root.get("/db/" + bucket);
        Answer truncated = root.delete("/db/" + bucket);

        assertThat(imported.array()).isEmpty();
        assertThat(exported.ids())
                .containsExactlyElementsOf(
                        IntStream.range(0, 450).mapToObj(this::id).toList());
        assertThat(exported.array().get(7).asDocument().keySet()).contains("version", "acl", "createdAt", "text");
        assertThat(truncated.object().getNumber("count").intValue()).isEqualTo(450);
        assertThat(root.get("/db/" + bucket).text()).isEqualTo("[]");
        assertThat(client.count(bucket)).isZero();
    }

    @Test
    void importOfAnExport_replacesAndLeavesOthers() {
        assertThat(root.put("/db/" + bucket, objects(3)).status()).isEqualTo(200);
        String export = root.get("/db/" + bucket).text();
        client.update(id(1), "{\"text\":\"changed\"}");
        client.insert(bucket, "{\"id\":\"" + id(9) + "\",\"text\":\"other\"}");

        assertThat(root.put("/db/" + bucket, export).array()).isEmpty();

        assertThat(client.get(id(1)).object().getString("text").getValue()).isEqualTo("t1");
        assertThat(client.get(id(9)).status()).isEqualTo(200);
    }

    @Test
    void import_badObjectsAmongGoodOnes_areReportedAndTheRestIsStored() {
        Answer answer = root.put(
                "/db/" + bucket,
                "[{\"id\":\"%s\",\"text\":\"good\"},{\"id\":\"%s\",\"text\":1},{\"text\":\"no id\"},7]"
                        .formatted(id(1), id(2)));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.array().stream()
                        .map(BsonValue::asDocument)
                        .map(BsonDocument::keySet)
                        .toList())
                .hasSize(3)
                .allSatisfy(names -> assertThat(names).containsExactly("id", "status", "error"));
        assertThat(client.count(bucket)).isEqualTo(1);
    }

    @Test
    void import_ofNewObjectsOnly_leavesThoseThatAreThere() {
        client.insert(bucket, "{\"id\":\"" + id(1) + "\",\"text\":\"mine\"}");

        Answer answer = root.put("/db/" + bucket, objects(3), "If-None-Match", "*");

        assertThat(answer.array().stream().map(BsonValue::asDocument))
                .singleElement()
                .satisfies(failure -> {
                    assertThat(failure.getString("id").getValue()).isEqualTo(id(1));
                    assertThat(failure.getNumber("status").intValue()).isEqualTo(412);
                });
        assertThat(client.get(id(1)).object().getString("text").getValue()).isEqualTo("mine");
        assertThat(client.count(bucket)).isEqualTo(3);
    }

    @Test
    void import_ofChangesOnly_makesNoObject() {
        client.insert(bucket, "{\"id\":\"" + id(1) + "\",\"text\":\"mine\"}");

        assertThat(root.put("/db/" + bucket, objects(3), "If-Match", "*").array())
                .hasSize(2);

        assertThat(client.get(id(1)).object().getString("text").getValue()).isEqualTo("t1");
        assertThat(client.count(bucket)).isEqualTo(1);
    }

    @Test
    void import_thatIsNoArray_is400() {
        assertThat(root.put("/db/" + bucket, "{}").status()).isEqualTo(400);
        assertThat(root.put("/db/" + bucket, "[{}").status()).isEqualTo(400);
    }

    @Test
    void import_thatBreaksOffAfterManyObjects_storesNone() {
        String objects = IntStream.range(0, 1_000)
                .mapToObj(i -> "{\"id\":\"/db/%s/k%s\"}".formatted(bucket, i))
                .collect(Collectors.joining(","));

        assertThat(root.put("/db/" + bucket, "[" + objects + ",{]").status()).isEqualTo(400);

        assertThat(client.count(bucket)).isZero();
    }

    @Test
    void import_largerThanAnObjectMayBe_isAccepted() {
        String text = "x".repeat(600_000);
        String body = "[{\"id\":\"%1$s\",\"text\":\"%3$s\"},{\"id\":\"%2$s\",\"text\":\"%3$s\"}]"
                .formatted(id(1), id(2), text);

        assertThat(root.put("/db/" + bucket, body).array()).isEmpty();
        assertThat(client.get(id(2)).object().getString("text").getValue()).isEqualTo(text);
    }

    @Test
    void bulk_expectingVersion0_isRefusedOperationByOperation() {
        Answer done = client.post(
                "/db/" + bucket + "/bulk",
                """
                {"operations":[{"delete":"%1$s","ifMatch":0}, {"delete":"%1$s","ifMatch":"00"},
                  {"delete":"%1$s","ifMatch":"W/\\"0\\""}, {"delete":"%1$s","ifMatch":"0--loyw3v28_x1"}]}
                """
                        .formatted(id(1)));

        assertThat(done.status()).as(done.text()).isEqualTo(200);
        assertThat(done.object().getArray("results").stream()
                        .map(result -> result.asDocument().getNumber("status").intValue()))
                .containsExactly(400, 400, 400, 400);
    }

    @Test
    void bulk_everyKindOfWrite_hasTheResultItWouldHaveAlone() {
        client.insert(bucket, "{\"id\":\"%s\",\"text\":\"a\"}".formatted(id(1)));

        Answer done = client.post(
                "/db/" + bucket + "/bulk",
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
                        .formatted(id(1), id(2)));

        assertThat(done.status()).as(done.text()).isEqualTo(200);
        assertThat(done.object().getArray("results").stream()
                        .map(result -> result.asDocument().getNumber("status").intValue()))
                .containsExactly(201, 409, 200, 400, 412, 200, 204, 404, 400, 400, 400);
        assertThat(client.get(id(1)).object().getString("text").getValue()).isEqualTo("b");
        assertThat(client.get(id(2)).status()).isEqualTo(404);
        assertThat(client.count(bucket)).isEqualTo(2);
    }

    /** Whoever misspells a condition must not have the write done without it. */
    @Test
    void bulk_membersThatTheOperationDoesNotHave_areRefused() {
        client.insert(bucket, "{\"id\":\"%s\",\"text\":\"a\"}".formatted(id(1)));

        Answer done = client.post(
                "/db/" + bucket + "/bulk",
                """
                {"operations":[{"update":{"$set":{"text":"b"}},"id":"%1$s","ifmatch":7},
                  {"replace":{"id":"%1$s","text":"c"},"id":"%1$s"},
                  {"delete":"%1$s","id":"%1$s"},
                  {"delete":"%1$s","version":7},
                  {"insert":{"text":"d"},"ifMatch":1}]}
                """
                        .formatted(id(1)));

        assertThat(done.object().getArray("results").stream()
                        .map(result -> result.asDocument().getNumber("status").intValue()))
                .as(done.text())
                .containsExactly(400, 400, 400, 400, 400);
        assertThat(done.text()).contains("An operation with update has no other members than id and ifMatch");
        assertThat(client.get(id(1)).object().getString("text").getValue()).isEqualTo("a");
        assertThat(client.count(bucket)).isEqualTo(1);
    }

    @Test
    void bulk_manyOperationsOnOneObject_areDoneInTheirOrder() {
        String operations = IntStream.range(0, 1_000)
                .mapToObj(i -> "{\"replace\":{\"id\":\"%s\",\"text\":\"t%d\"}}".formatted(id(i % 3), i))
                .collect(Collectors.joining(","));

        assertThat(client.post("/db/" + bucket + "/bulk", "{\"operations\":[" + operations + "]}")
                        .status())
                .isEqualTo(200);

        assertThat(client.get(id(0)).object().getString("text").getValue()).isEqualTo("t999");
        assertThat(client.get(id(0)).object().getNumber("version").intValue()).isEqualTo(334);
        assertThat(client.get(id(2)).object().getString("text").getValue()).isEqualTo("t998");
    }

    @Test
    void bulk_ofAnotherFormOrTooLong_isRefusedAsAWhole() {
        String path = "/db/" + bucket + "/bulk";
        String many = IntStream.range(0, 1_001).mapToObj(i -> "{}").collect(Collectors.joining(","));

        assertThat(client.post(path, "{}").status()).isEqualTo(400);
        assertThat(client.post(path, "{\"operations\":{}}").status()).isEqualTo(400);
        assertThat(client.post(path, "{\"operations\":[" + many + "]}").status())
                .isEqualTo(413);
        assertThat(client.post("/db/Nowhere/bulk", "{\"operations\":[]}").status())
                .isEqualTo(461);
        assertThat(client.put("/db/" + bucket + "/bulk", "{}").status()).isEqualTo(400);
    }

    @Test
    void bulk_withoutPermission_isDeniedOperationByOperation() {
        assertThat(root.post(
                                "/schema",
                                "{\"operation\":\"updateClassAcl\",\"bucket\":\"/db/%s\",\"acl\":{\"insert\":{\"/db/Role/1\":\"allow\"}}}"
                                        .formatted(bucket))
                        .status())
                .isEqualTo(200);

        Answer done = client.post(
                "/db/" + bucket + "/bulk", "{\"operations\":[{\"insert\":{}},{\"delete\":\"" + id(1) + "\"}]}");

        assertThat(done.text()).contains("\"status\":466", "\"status\":204");
    }

    @Test
    void ids_areOrderedAndCut() {
        assertThat(root.put("/db/" + bucket, objects(450)).status()).isEqualTo(200);

        assertThat(root.get("/db/" + bucket + "/ids").array())
                .hasSize(450)
                .first()
                .isEqualTo(new BsonString(id(0)));
        assertThat(root.get("/db/" + bucket + "/ids?start=448").text())
                .isEqualTo("[\"%s\",\"%s\"]".formatted(id(448), id(449)));
        assertThat(root.get("/db/" + bucket + "/ids?start=1&count=1").text()).isEqualTo("[\"%s\"]".formatted(id(1)));
        assertThat(root.get("/db/" + bucket + "/ids?start=999").text()).isEqualTo("[]");
        assertThat(root.get("/db/" + bucket + "/ids?start=-1").status()).isEqualTo(400);
    }

    @Test
    void bulk_byOthersThanAdmins_is466AndChangesNothing() {
        String stored = client.insert(bucket, "{\"text\":\"a\"}");

        assertThat(client.get("/db/" + bucket + "/ids").status()).isEqualTo(466);
        assertThat(client.get("/db/" + bucket).status()).isEqualTo(466);
        assertThat(client.put("/db/" + bucket, objects(1)).status()).isEqualTo(466);
        assertThat(client.delete("/db/" + bucket).status()).isEqualTo(466);
        assertThat(root.get("/db/" + bucket).ids()).containsExactly(stored);
    }

    @Test
    void bulk_unknownClass_is461() {
        assertThat(root.get("/db/Nowhere").status()).isEqualTo(461);
        assertThat(root.get("/db/Nowhere/ids").status()).isEqualTo(461);
        assertThat(root.put("/db/Nowhere", "[]").status()).isEqualTo(461);
        assertThat(root.delete("/db/Nowhere").status()).isEqualTo(461);
    }

    @Test
    void truncateAndImport_reachCachesAndLiveQueries() throws Exception {
        String stored = client.insert(bucket, "{\"text\":\"a\"}");
        assertThat(client.get(stored).status()).isEqualTo(200);
        assertThat(client.query(bucket, "{}").ids()).containsExactly(stored);
        try (LiveStream live = LiveStream.open(client, bucket, "")) {
            assertThat(live.next().array()).hasSize(1);

            assertThat(root.delete("/db/" + bucket).status()).isEqualTo(200);
            assertThat(live.next().summary()).isEqualTo("remove delete " + stored);
            assertThat(client.get(stored).status()).isEqualTo(404);
            assertThat(client.query(bucket, "{}").text()).isEqualTo("[]");

            assertThat(root.put("/db/" + bucket, objects(1)).status()).isEqualTo(200);
            assertThat(live.next().summary()).isEqualTo("add insert " + id(0));
            assertThat(client.query(bucket, "{}").ids()).containsExactly(id(0));
        }
    }
}
