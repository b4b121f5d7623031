package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.http.LiveStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
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
        BsonDocument one = anonymous.get("/schema/" + bucket).object();

        assertThat(anonymous.get("/schema").array()).contains(one);
        assertThat(one.getDocument("fields").keySet()).containsExactly("text");
        assertThat(one.getString("superClass").getValue()).isEqualTo("/db/Object");
    }

    @Test
    void get_unknownClass_is461() {
        assertThat(anonymous.get("/schema/Nowhere").status()).isEqualTo(461);
        assertThat(root.delete("/schema/Nowhere").status()).isEqualTo(461);
    }

    @Test
    void merge_newField_isAddedAndNothingIsRemoved() {
        Answer merged = root.post("/schema", descriptor(field("n", "/db/Integer")));

        assertThat(merged.status()).isEqualTo(200);
        assertThat(merged.array().size()).isGreaterThan(5);
        assertThat(anonymous
                        .get("/schema/" + bucket)
                        .object()
                        .getDocument("fields")
                        .keySet())
                .containsExactlyInAnyOrder("text", "n");
    }

    @Test
    void merge_newField_isNullInOldObjectsEvenIfTheyAreCached() {
        String id = anonymous.insert(bucket, "{\"text\":\"a\"}");
        assertThat(anonymous.get(id).object().keySet()).doesNotContain("n");
        assertThat(anonymous.query(bucket, "{}").ids()).containsExactly(id);

        assertThat(root.post("/schema", descriptor(field("n", "/db/Integer"))).status())
                .isEqualTo(200);

        assertThat(anonymous.get(id).object().isNull("n")).isTrue();
        assertThat(anonymous.query(bucket, "{}").array().get(0).asDocument().isNull("n"))
                .isTrue();
    }

    /** Objects from before and from afterwards are equal to the same literals, in which every field is set or null. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void merge_newFieldOfEmbeddedClass_leavesObjectsEqualToLiterals(boolean isIndexed) throws Exception {
        embed("street");
        if (isIndexed) {
            assertThat(root.post("/index/" + bucket, "{\"keys\":[{\"home\":\"asc\"}]}")
                            .status())
                    .isBetween(200, 204);
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
            assertThat(anonymous.post(old, "{\"$set\":{\"text\":\"b\"}}").status())
                    .isEqualTo(200);
            assertThat(live.next().summary()).isEqualTo("change update " + old);
            String young = anonymous.insert(bucket, "{\"home\":{\"street\":\"a\"}}");
            assertThat(live.next().summary()).isEqualTo("add insert " + young);
            assertThat(found("{'home':{'street':'a'}}")).containsExactlyInAnyOrder(old, young);
        }
    }

    private List<String> found(String filter) {
        return anonymous.query(bucket, filter.replace('\'', '"')).ids();
    }

    /** Has the class hold objects of an embedded one that gets these fields. */
    private void embed(String... names) {
        String fields = Stream.of(names).map(name -> field(name, "/db/String")).collect(Collectors.joining(","));
        Answer merged = root.post(
                "/schema",
                "[{\"class\":\"/db/Part%1$s\",\"embedded\":true,\"fields\":{%2$s}},%3$s]"
                        .formatted(
                                bucket,
                                fields,
                                descriptor(field("home", "/db/Part" + bucket) + ","
                                        + field("others", "/db/collection.List[/db/Part" + bucket + "]"))));
        assertThat(merged.status()).as(merged.text()).isEqualTo(200);
    }

    @Test
    void rename_cachedObjectsAndQueries_areReadAnewByEverybody() {
        String id = anonymous.insert(bucket, "{\"text\":\"a\"}");
        assertThat(anonymous.get(id).object().getString("text").getValue()).isEqualTo("a");
        assertThat(anonymous.query(bucket, "{}").ids()).containsExactly(id);

        assertThat(root.post("/schema", rename("text", "title")).status()).isEqualTo(200);

        BsonDocument renamed = anonymous.get(id).object();
        assertThat(renamed.getString("title").getValue()).isEqualTo("a");
        assertThat(renamed.containsKey("text")).isFalse();
        assertThat(renamed.getNumber("version").intValue()).isEqualTo(2);
        assertThat(anonymous.query(bucket, "{\"title\":\"a\"}").ids()).containsExactly(id);
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
                assertThat(anonymous.put(ids.get(i), "{\"title\":\"1\"}").status())
                        .isEqualTo(200);
            }
        }
        assertThat(renamed.join().status()).isEqualTo(200);

        assertThat(ids).allSatisfy(id -> assertThat(
                        anonymous.get(id).object().getString("title").getValue())
                .isEqualTo("1"));
    }

    /** They wait, and are checked by the schema of afterwards. */
    @Test
    void rename_ofManyObjects_makesWritersWaitAndRefusesNone() {
        assertThat(root.post("/schema", descriptor(field("n", "/db/Integer"))).status())
                .isEqualTo(200);
        String objects = IntStream.range(0, 20_000)
                .mapToObj(i -> "{\"id\":\"/db/%s/k%d\",\"text\":\"0\"}".formatted(bucket, i))
                .collect(Collectors.joining(",", "[", "]"));
        assertThat(root.put("/db/" + bucket, objects).array()).isEmpty();
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
        BsonDocument after = anonymous.get(id).object();
        assertThat(after.getNumber("n").intValue()).isEqualTo(writes);
        assertThat(after.getNumber("version").intValue())
                .as("each was done once")
                .isEqualTo(writes + 2);
    }

    @Test
    void rename_liveQueriesOnTheClass_endAndSayWhy() throws Exception {
        try (LiveStream live = LiveStream.open(anonymous, bucket, "q=%7B%7D")) {
            assertThat(live.next().array()).isEmpty();

            assertThat(root.post("/schema", rename("text", "title")).status()).isEqualTo(200);

            LiveStream.Event end = live.next();
            assertThat(end.name()).isEqualTo("error");
            assertThat(end.text()).contains("469");
        }
    }

    @Test
    void remove_andAddAgain_oldValuesStayAway() {
        String id = anonymous.insert(bucket, "{\"text\":\"a\"}");

        assertThat(root.put("/schema/" + bucket, descriptor(field("n", "/db/Integer")))
                        .status())
                .isEqualTo(200);
        assertThat(root.post("/schema", descriptor(field("text", "/db/String"))).status())
                .isEqualTo(200);

        assertThat(anonymous.get(id).object().isNull("text")).isTrue();
    }

    private String rename(String from, String to) {
        return "{\"operation\":\"renameField\",\"bucket\":\"/db/%s\",\"from\":\"%s\",\"to\":\"%s\"}"
                .formatted(bucket, from, to);
    }

    @Test
    void merge_fieldOfAnotherType_is469() {
        Answer refused = root.post("/schema", descriptor(field("text", "/db/Integer")));

        assertThat(refused.status()).isEqualTo(469);
    }

    @Test
    void merge_staleAcl_isNotApplied() {
        Answer merged = root.post(
                "/schema",
                "{\"class\":\"/db/%s\",\"fields\":{},\"acl\":{\"load\":{\"/db/Role/1\":\"allow\"}}}".formatted(bucket));

        assertThat(merged.status()).isEqualTo(200);
        assertThat(anonymous.get("/db/" + bucket + "/x").status()).isEqualTo(404);
    }

    @Test
    void merge_oneOfSeveralIsRefused_nothingIsChanged() {
        String other = "Never" + bucket;

        Answer refused = root.post(
                "/schema",
                "[{\"class\":\"/db/%s\",\"fields\":{}},%s]".formatted(other, descriptor(field("text", "/db/Integer"))));

        assertThat(refused.status()).isEqualTo(469);
        assertThat(anonymous.get("/schema/" + other).status()).isEqualTo(461);
    }

    @Test
    void change_byOthersThanAdmins_is466() {
        assertThat(anonymous
                        .post("/schema", descriptor(field("n", "/db/Integer")))
                        .status())
                .isEqualTo(466);
        assertThat(anonymous.post("/schema", descriptor("")).status()).isEqualTo(466);
        assertThat(anonymous
                        .post("/schema/Fresh" + bucket, "{\"class\":\"/db/Fresh" + bucket + "\",\"fields\":{}}")
                        .status())
                .isEqualTo(466);
        assertThat(anonymous.put("/schema/" + bucket, descriptor("")).status()).isEqualTo(466);
        assertThat(anonymous.put("/schema", "[]").status()).isEqualTo(466);
        assertThat(anonymous.delete("/schema/" + bucket).status()).isEqualTo(466);
        assertThat(anonymous
                        .get("/schema/" + bucket)
                        .object()
                        .getDocument("fields")
                        .keySet())
                .containsExactly("text");
    }

    @Test
    void merge_largerThanAnObjectMayBe_isReadForAdminsOnly() {
        String remark = "x".repeat(10_000);
        String large = IntStream.range(0, 120)
                .mapToObj(i -> "{\"class\":\"/db/Large%s\",\"metadata\":{\"remark\":\"%s\"}}".formatted(i, remark))
                .collect(Collectors.joining(",", "[", ",{\"class\":\"/db/Large\",\"superClass\":\"/db/Nowhere\"}]"));

        assertThat(root.post("/schema", large).status()).isEqualTo(469);
        assertThat(anonymous.post("/schema", large).status()).isEqualTo(413);
    }

    @Test
    void classAcl_narrowed_holdsForEveryOperation() {
        String id = anonymous.insert(bucket, "{\"text\":\"a\"}");
        assertThat(anonymous.get(id).status()).isEqualTo(200);
        String admins = "{\"/db/Role/1\":\"allow\"}";

        Answer narrowed = root.post(
                "/schema",
                ("{\"operation\":\"updateClassAcl\",\"bucket\":\"/db/%1$s\",\"acl\":{\"load\":%2$s,\"insert\":%2$s,"
                                + "\"update\":%2$s,\"delete\":%2$s,\"query\":%2$s,\"schemaAdd\":%2$s,"
                                + "\"schemaReplace\":%2$s,\"schemaSubclass\":%2$s}}")
                        .formatted(bucket, admins));

        assertThat(narrowed.status()).as(narrowed.text()).isEqualTo(200);
        assertThat(anonymous.get(id).status()).isEqualTo(466);
        assertThat(anonymous.query(bucket, "{}").status()).isEqualTo(466);
        assertThat(anonymous.get("/db/" + bucket + "/count").status()).isEqualTo(466);
        assertThat(anonymous.get("/db/" + bucket + "/events").status()).isEqualTo(466);
        assertThat(anonymous.post("/db/" + bucket, "{}").status()).isEqualTo(466);
        assertThat(anonymous.put(id, "{}", "If-Match", "*").status()).isEqualTo(466);
        assertThat(anonymous.delete(id).status()).isEqualTo(466);
        assertThat(root.get(id).status()).isEqualTo(200);
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
        Answer refused = root.post("/schema", descriptor(field("odd", type)));

        assertThat(refused.status()).isIn(400, 461, 469);
        assertThat(anonymous
                        .get("/schema/" + bucket)
                        .object()
                        .getDocument("fields")
                        .keySet())
                .containsExactly("text");
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
    void merge_descriptorThatMakesNoSense_isRefused(String body) {
        assertThat(root.post("/schema", body).status()).isIn(400, 461, 462, 463, 469);
        assertThat(anonymous.get("/schema/X").status()).isEqualTo(461);
    }

    @Test
    void delete_classThatOthersRefer_is474UntilTheyAreGone() {
        String user = "Uses" + bucket;
        assertThat(root.post(
                                "/schema",
                                "{\"class\":\"/db/%s\",\"fields\":{%s}}".formatted(user, field("r", "/db/" + bucket)))
                        .status())
                .isEqualTo(200);

        assertThat(root.delete("/schema/" + bucket).status()).isEqualTo(474);
        assertThat(root.delete("/schema/" + user).status()).isEqualTo(204);
        assertThat(root.delete("/schema/" + bucket).status()).isEqualTo(204);
        assertThat(anonymous.get("/db/" + bucket + "/x").status()).isEqualTo(461);
    }

    @Test
    void delete_class_takesItsObjectsAlong() {
        String id = anonymous.insert(bucket, "{\"text\":\"a\"}");
        assertThat(anonymous.get(id).status()).isEqualTo(200);

        assertThat(root.delete("/schema/" + bucket).status()).isEqualTo(204);
        assertThat(root.post("/schema", descriptor("")).status()).isEqualTo(200);

        assertThat(anonymous.get(id).status()).isEqualTo(404);
        assertThat(anonymous.count(bucket)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Object", "User", "Role"})
    void delete_builtInClass_isRefused(String name) {
        assertThat(root.delete("/schema/" + name).status()).isBetween(400, 499);
        assertThat(anonymous.get("/schema/" + name).status()).isEqualTo(200);
    }
}
