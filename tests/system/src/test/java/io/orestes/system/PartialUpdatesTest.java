package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.http.LiveStream;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Partial updates over HTTP (protocol §9): answers, conditions, permissions; what operators do is tested beside them. */
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
    void update_severalOperations_areAnsweredWithTheWholeObjectAsStored() {
        Answer updated = client.post(
                id, "{\"$set\":{\"text\":\"b\"},\"$inc\":{\"n\":2,\"data.k\":1},\"$push\":{\"list\":\"y\"}}");

        assertThat(updated.status()).isEqualTo(200);
        assertThat(updated.header("etag").orElseThrow()).startsWith("\"2--");
        assertThat(updated.header("cache-control")).hasValue("no-store");
        assertThat(updated.text())
                .contains("\"version\":2", "\"acl\":null", "\"text\":\"b\"", "\"n\":3", "[\"x\",\"y\"]", "{\"k\":2}");
        assertThat(client.get(id).text()).isEqualTo(updated.text());
    }

    @Test
    void update_cachedObject_isSeenByTheNextReader() {
        for (int n = 2; n < 12; n++) {
            assertThat(client.get(id).status()).isEqualTo(200);
            assertThat(client.post(id, "{\"$inc\":{\"n\":1}}").status()).isEqualTo(200);

            assertThat(n(client.get(id))).isEqualTo(n);
            assertThat(client.query(bucket, "{\"n\":" + n + "}").ids()).containsExactly(id);
        }
    }

    @Test
    void update_withoutOperations_countsAsAWrite() {
        Answer updated = client.post(id, "{}");

        assertThat(updated.status()).isEqualTo(200);
        assertThat(version(updated)).isEqualTo(2);
        assertThat(updated.object().getString("updatedAt"))
                .isNotEqualTo(updated.object().getString("createdAt"));
    }

    @Test
    void update_oneOfManyOperationsIsBad_changesNothing() {
        Answer refused = client.post(id, "{\"$inc\":{\"n\":2},\"$push\":{\"list\":\"y\",\"text\":\"y\"}}");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(message(refused)).isEqualTo("Unsupported update operation $push on text");
        assertThat(version(client.get(id))).isEqualTo(1);
    }

    @Test
    void update_refusals_haveTheStatusAndTextOfTheProtocol() {
        assertThat(message(client.post(id, "{\"$foo\":{\"text\":1}}")))
                .isEqualTo("Unsupported update operation $foo on text");
        assertThat(message(client.post(id, "{\"$set\":1}"))).isEqualTo("The body can't be processed");
        assertThat(client.post(id, "{\"$set\":{\"version\":7}}").status()).isEqualTo(400);
        assertThat(client.post(id, "{\"$set\":{\"n\":\"x\"}}").status()).isEqualTo(463);
        assertThat(client.post(id, "{\"$set\":{\"none\":1}}").status()).isEqualTo(463);
        assertThat(client.post(id, "{\"$set\":{\"acl\":{\"read\":{\"me\":\"allow\"}}}}")
                        .status())
                .isEqualTo(462);
        assertThat(client.post(id, "[]").status()).isEqualTo(400);
        assertThat(client.post(id + "x", "{}").status()).isEqualTo(404);
        assertThat(client.post("/db/Nowhere/x", "{}").status()).isEqualTo(461);
        assertThat(client.post("/db/" + bucket + "/bulk", "{\"$set\":{\"n\":1}}")
                        .status())
                .isNotEqualTo(200);
    }

    @Test
    void update_withCondition_isHonoured() {
        assertThat(client.post(id, "{}", "If-Match", "\"2\"").status()).isEqualTo(412);
        assertThat(client.post(id, "{}", "If-Match", "\"1\"").status()).isEqualTo(200);
        assertThat(client.post(id, "{}", "If-Match", "*").status()).isEqualTo(200);
        assertThat(client.post(id + "x", "{}", "If-Match", "\"1\"").status()).isEqualTo(404);
    }

    /** Escapes in the path, and a query, take the way through the router. */
    @Test
    void update_whateverTheWayOfTheRequest_isTheSame() {
        String odd = client.insert(bucket, "{\"id\":\"/db/%s/a%%20b%%2Fc\",\"n\":1}".formatted(bucket));

        assertThat(n(client.post(odd, "{\"$inc\":{\"n\":1}}"))).isEqualTo(2);
        assertThat(n(client.post(id + "?BCB", "{\"$inc\":{\"n\":1}}"))).isEqualTo(2);
        assertThat(n(client.post(id, "{\"$inc\":{\"n\":1}}" + " ".repeat(70_000))))
                .isEqualTo(3);
    }

    @Test
    void updateField_hasThePathInTheUrl() {
        assertThat(n(client.post(id + "/n", "{\"$inc\":2,\"$mul\":10}"))).isEqualTo(30);
        assertThat(client.post(id + "/data.k", "{\"$set\":[1]}").text()).contains("{\"k\":[1]}");
        assertThat(message(client.post(id + "/text", "{\"$inc\":2}")))
                .isEqualTo("Unsupported update operation $inc on text");
        assertThat(client.post(id + "x/n", "{\"$inc\":2}").status()).isEqualTo(404);
    }

    @Test
    void update_withoutThePermissionOfTheClass_is466() {
        allow("\"update\":{\"/db/Role/1\":\"allow\"}");

        assertThat(client.post(id, "{}").status()).isEqualTo(466);
        assertThat(root.post(id, "{}").status()).isEqualTo(200);
    }

    @Test
    void update_withoutThePermissionOfTheObject_is466() {
        done(client.post(id, "{\"$put\":{\"acl.write\":{\"/db/Role/1\":\"allow\"}}}"));

        Answer refused = client.post(id, "{\"$set\":{\"acl\":null}}");

        assertThat(refused.status()).isEqualTo(466);
        assertThat(message(refused)).contains("Write permissions are required");
        assertThat(root.post(id, "{\"$set\":{\"acl\":null}}").status()).isEqualTo(200);
    }

    @Test
    void update_byWhoMayNotRead_isDoneButTellsNothing() {
        assertToldNothing(client.post(id, "{\"$put\":{\"acl.read\":{\"/db/Role/1\":\"allow\"}}}"));
        assertToldNothing(client.post(id, "{\"$inc\":{\"n\":1}}"));
        done(root.post(id, "{\"$set\":{\"acl\":null}}"));
        allow("\"load\":{\"/db/Role/1\":\"allow\"}");
        assertToldNothing(client.post(id, "{\"$inc\":{\"n\":1}}"));

        assertThat(n(root.get(id))).isEqualTo(3);
    }

    @Test
    void update_byManyClientsAtOnce_losesNothing() {
        List<Answer> answers = IntStream.range(0, 400)
                .parallel()
                .mapToObj(i -> client.post(id, "{\"$inc\":{\"n\":1}}"))
                .toList();

        assertThat(answers).allSatisfy(answer -> assertThat(n(answer)).isEqualTo(version(answer)));
        assertThat(answers.stream().map(PartialUpdatesTest::version)).doesNotHaveDuplicates();
        assertThat(n(client.get(id))).isEqualTo(401);
    }

    @Test
    void update_thatBringsAnObjectIntoALiveQuery_isTold() throws Exception {
        String filter = Client.encode("{\"n\":{\"$gt\":5}}");
        try (LiveStream live = LiveStream.open(client, bucket, "q=" + filter)) {
            assertThat(live.next().array()).isEmpty();

            assertThat(client.post(id, "{\"$inc\":{\"n\":9}}").status()).isEqualTo(200);

            assertThat(live.next().summary()).isEqualTo("add update " + id);
        }
    }

    private static void done(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }

    private void allow(String permissions) {
        done(root.post(
                "/schema",
                "{\"operation\":\"updateClassAcl\",\"bucket\":\"/db/%s\",\"acl\":{%s}}"
                        .formatted(bucket, permissions)));
    }

    private static void assertToldNothing(Answer answer) {
        done(answer);
        assertThat(answer.object().keySet()).containsExactly("id", "version", "acl", "createdAt", "updatedAt");
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

    private static String message(Answer answer) {
        return answer.object().getString("message").getValue();
    }
}
