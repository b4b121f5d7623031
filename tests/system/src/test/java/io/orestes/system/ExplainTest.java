package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.http.LiveStream;
import java.util.List;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code GET /-/explain}: which rule decides. {@code PermissionMatrixTest} shows that it agrees
 * with the server.
 */
@ExtendWith(SharedBackend.class)
final class ExplainTest {

    private static final String NOBODY = "";

    private final Backend backend;

    ExplainTest(Backend backend) {
        this.backend = backend;
    }

    @Test
    void load_refusedByTheObject_namesTheRuleOfTheObject() {
        String name = backend.newClass("n", "Integer");
        String id = backend.root().insert(name, "{\"n\":1,\"acl\":{\"read\":{\"/db/Role/1\":\"allow\"}}}");

        BsonDocument explained = explain(NOBODY, "load", id);

        assertThat(explained.getBoolean("granted").getValue()).isFalse();
        assertThat(rules(explained)).containsExactly("class load unrestricted", "object read notAllowed");
    }

    @Test
    void load_byAnAdmin_isGrantedByThatRole() {
        String name = backend.newClass("n", "Integer");
        String id = backend.root().insert(name, "{\"n\":1,\"acl\":{\"read\":{\"/db/User/1\":\"deny\"}}}");

        BsonDocument explained = explain("/db/User/1", "load", id);

        assertThat(explained.getBoolean("admin").getValue()).isTrue();
        assertThat(rules(explained)).containsExactly("class load admin", "object read admin");
    }

    @Test
    void update_ofAnAbsentObject_isMissing_andASaveInsertsIt() {
        String name = backend.newClass("n", "Integer");

        assertThat(rules(explain(NOBODY, "update", "/db/" + name + "/none")))
                .containsExactly("class update unrestricted", "object missing");
        assertThat(explain(NOBODY, "save", "/db/" + name + "/none")
                        .getBoolean("granted")
                        .getValue())
                .isTrue();
    }

    @Test
    void subscription_toAnotherQuery_doesNotMatchTheObject() {
        String name = backend.newClass("n", "Integer");
        String id = backend.root().insert(name, "{\"n\":1}");

        assertThat(rules(explain(NOBODY, "subscribe", id, "{\"n\":2}")))
                .containsExactly("class query unrestricted", "object read unrestricted", "query doesNotMatch");
        assertThat(rules(explain(NOBODY, "subscribe", id, "{\"n\":1}"))).endsWith("query matches");
    }

    @Test
    void schemaAdd_withoutARule_isForAdmins() {
        String name = backend.newClass("n", "Integer");

        assertThat(rules(explain(NOBODY, "schemaAdd", "/db/" + name))).containsExactly("class schemaAdd notAllowed");
    }

    @Test
    void insertOfAUser_byAnybody_isForRegistrationOnly() {
        assertThat(rules(explain("/db/User/1", "insert", "/db/User"))).startsWith("class registrationOnly");
    }

    @ParameterizedTest
    @CsvSource({
        "export, endpoint admin notAllowed",
        "import, endpoint admin notAllowed",
        "truncate, endpoint admin notAllowed",
        "ids, endpoint admin notAllowed",
        "createIndex, endpoint admin notAllowed",
        "indexes, endpoint everybody",
        "bulk, endpoint eachAlone",
        "transaction, endpoint eachAlone",
        "count, class query unrestricted",
        "depth, class load unrestricted"
    })
    void operation_onTheClass_isDecidedOnByOneRule(String operation, String rule) {
        assertThat(rules(explain(NOBODY, operation, "/db/" + backend.newClass("n", "Integer"))))
                .containsExactly(rule);
    }

    @Test
    void export_byAnAdmin_isGrantedByThatRole() {
        assertThat(rules(explain("/db/User/1", "export", "/db/User"))).containsExactly("endpoint admin admin");
    }

    @Test
    void register_byAnybody_needsToInsert() {
        assertThat(rules(explain(NOBODY, "register", "/db/User"))).containsExactly("class insert unrestricted");
        assertThat(backend.root()
                        .get("/-/explain?operation=register&ref=/db/Role")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void insert_ofAnExistingObject_isRefused() {
        String name = backend.newClass("n", "Integer");

        assertThat(rules(explain(NOBODY, "insert", backend.root().insert(name, "{}"))))
                .containsExactly("class insert unrestricted", "object exists");
    }

    @Test
    void save_whereTheServerChoosesIds_isForAdminsAndForExistingObjects() {
        Accounts.User user = Accounts.create(backend);

        assertThat(rules(explain(NOBODY, "save", "/db/Role/none")))
                .containsExactly(
                        "class insert unrestricted", "class update unrestricted", "class assignedId", "object missing");
        assertThat(explain("/db/User/1", "save", "/db/Role/none")
                        .getBoolean("granted")
                        .getValue())
                .isTrue();
        assertThat(rules(explain(user.id(), "save", user.id())))
                .containsExactly("class update unrestricted", "object write allow");
        assertThat(explain("/db/User/1", "save", "/db/User/none")
                        .getBoolean("granted")
                        .getValue())
                .isFalse();
    }

    @Test
    void delete_ofARequiredObject_namesTheReason() {
        assertThat(rules(explain("/db/User/1", "delete", "/db/Role/2")))
                .containsExactly("class delete admin", "object builtIn", "object write admin");
        assertThat(explain("/db/User/1", "delete", "/db/User/1")
                        .getBoolean("granted")
                        .getValue())
                .isFalse();
    }

    /**
     * Subscribers with equal rights receive equal events, so past events are the answer, also for
     * deleted objects.
     */
    @Test
    void subscribe_withASubscriber_hasEarlierEventsOfTheObject() throws Exception {
        String bucket = backend.newClass("n", "Integer");
        Client root = backend.root();
        try (LiveStream stream = LiveStream.open(backend.anonymous(), bucket, "q=%7B%22n%22%3A1%7D")) {
            assertThat(stream.next().name()).isEqualTo("result");
            String id = root.insert(bucket, "{\"n\":1}");
            assertThat(stream.next().summary()).startsWith("add");
            root.update(id, "{\"n\":2}");
            assertThat(stream.next().summary()).startsWith("remove");
            root.remove(id);
            String other = root.insert(bucket, "{\"n\":1,\"acl\":{\"read\":{\"/db/User/1\":\"allow\"}}}");

            BsonDocument event = explain(NOBODY, "subscribe", id, "{\"n\":1}").getDocument("event");
            BsonDocument hidden =
                    explain(NOBODY, "subscribe", other, "{\"n\":1}").getDocument("event");

            assertThat(event.getBoolean("active").getValue()).isTrue();
            assertThat(historyOf(event)).containsExactly("add insert 1", "remove update 2");
            assertThat(event.getDocument("lastWrite").getString("operation").getValue())
                    .isEqualTo("delete");
            assertThat(event.getDocument("lastWrite").getString("whoHadIt").getValue())
                    .isEqualTo("remove");
            assertThat(event.getArray("unknown")).isEmpty();
            assertThat(historyOf(hidden)).isEmpty();
            assertThat(hidden.getDocument("lastWrite").getBoolean("matches").getValue())
                    .isTrue();
            assertThat(hidden.getDocument("lastWrite").getBoolean("readable").getValue())
                    .isFalse();
            assertThat(hidden.getDocument("lastWrite").isNull("whoHadItNot")).isTrue();
        }
    }

    @Test
    void subscribe_withOtherSubscribers_explainsTheLastWriteAndReportsUnknowns() throws Exception {
        String bucket = backend.newClass("n", "Integer");
        try (LiveStream stream = LiveStream.open(backend.anonymous(), bucket, "q=%7B%22n%22%3A7%7D")) {
            assertThat(stream.next().name()).isEqualTo("result");
            String id = backend.root().insert(bucket, "{\"n\":1}");

            BsonDocument event = explain(NOBODY, "subscribe", id, "{\"n\":1}").getDocument("event");

            assertThat(event.getBoolean("active").getValue()).isFalse();
            assertThat(event.getDocument("lastWrite").getString("whoHadItNot").getValue())
                    .isEqualTo("add");
            assertThat(texts(event.getArray("unknown")))
                    .singleElement()
                    .asString()
                    .startsWith("Whether the object was in the result before");
        }
    }

    @Test
    void subscribe_withoutSubscribers_reportsTheLastWriteAsUnknown() {
        String bucket = backend.newClass("n", "Integer");
        String id = backend.root().insert(bucket, "{\"n\":1}");

        BsonDocument event = explain(NOBODY, "subscribe", id, "{\"n\":1}").getDocument("event");
        BsonDocument none =
                explain(NOBODY, "subscribe", "/db/" + bucket + "/none", "{}").getDocument("event");

        assertThat(event.getDocument("lastWrite").keySet()).containsExactly("version", "date");
        assertThat(texts(event.getArray("unknown"))).anyMatch(text -> text.startsWith("The content of the last write"));
        assertThat(none.isNull("lastWrite")).isTrue();
        assertThat(texts(none.getArray("unknown"))).anyMatch(text -> text.startsWith("Whether and when"));
    }

    /** The third object leaves a window of two. */
    @Test
    void subscribe_toAWindow_hasThePositionAndEarlierEvents() throws Exception {
        String bucket = backend.newClass("n", "Integer");
        Client root = backend.root();
        String window = "q=%7B%7D&sort=%7B%22n%22%3A1%7D&count=2";
        String last = root.insert(bucket, "{\"n\":3}");
        root.insert(bucket, "{\"n\":2}");
        try (LiveStream stream = LiveStream.open(backend.anonymous(), bucket, window)) {
            assertThat(stream.next().array()).hasSize(2);
            String first = root.insert(bucket, "{\"n\":1}");
            assertThat(stream.next().summary()).isEqualTo("remove none " + last);
            assertThat(stream.next().summary()).isEqualTo("add insert " + first);

            BsonDocument inside = event(first, window);
            BsonDocument outside = event(last, window);
            BsonDocument unwatched = event(first, window.replace("count=2", "count=1"));

            assertThat(inside.getInt32("index").getValue()).isZero();
            assertThat(historyOf(inside)).containsExactly("add insert 1");
            assertThat(outside.isNull("index")).isTrue();
            assertThat(historyOf(outside)).containsExactly("remove none 1");
            assertThat(unwatched.getInt32("index").getValue()).isZero();
            assertThat(texts(unwatched.getArray("unknown")))
                    .anyMatch(text -> text.contains("into the window or out of it"));
        }
    }

    private BsonDocument event(String id, String query) {
        Answer answer = backend.root().get("/-/explain?operation=subscribe&ref=" + Client.encode(id) + "&" + query);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.object().getDocument("event");
    }

    private static List<String> historyOf(BsonDocument event) {
        return event.getArray("told").stream()
                .map(BsonValue::asDocument)
                .map(each -> each.getString("matchType").getValue() + " "
                        + each.getString("operation").getValue() + " "
                        + each.getNumber("version").longValue())
                .toList();
    }

    private static List<String> texts(BsonArray sentences) {
        return sentences.stream().map(each -> each.asString().getValue()).toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "operation=fly&ref=/db/User",
                "ref=/db/User",
                "operation=load",
                "operation=load&ref=User",
                "operation=load&ref=/db/",
                "operation=load&ref=/db/User&caller=root",
                "operation=load&ref=/db/User&caller=/db/Role/1"
            })
    void explanation_malformed_isRefused(String query) {
        assertThat(backend.root().get("/-/explain?" + query).status()).isEqualTo(400);
    }

    @Test
    void explanation_ofAnAbsentObject_isRefused() {
        assertThat(backend.root()
                        .get("/-/explain?operation=load&ref=/db/NoSuchClass")
                        .status())
                .isEqualTo(461);
        assertThat(backend.root()
                        .get("/-/explain?operation=load&ref=/db/User&caller=/db/User/none")
                        .status())
                .isEqualTo(404);
        assertThat(backend.root()
                        .get("/-/explain?operation=subscribe&ref=/db/User&q=%7B%22%24where%22%3A1%7D")
                        .status())
                .isEqualTo(468);
    }

    @Test
    void explanation_byOthersThanAdmins_isRefused() {
        assertThat(backend.anonymous()
                        .get("/-/explain?operation=load&ref=/db/User")
                        .status())
                .isEqualTo(466);
    }

    private BsonDocument explain(String caller, String operation, String ref) {
        return explain(caller, operation, ref, "");
    }

    private BsonDocument explain(String caller, String operation, String ref, String query) {
        Answer answer = backend.root()
                .get("/-/explain?caller=%s&operation=%s&ref=%s&q=%s"
                        .formatted(Client.encode(caller), operation, Client.encode(ref), Client.encode(query)));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.object();
    }

    private static List<String> rules(BsonDocument explained) {
        return explained.getArray("steps").stream()
                .map(BsonValue::asDocument)
                .map(step -> String.join(
                        " ",
                        Stream.of("level", "permission", "rule")
                                .filter(step::containsKey)
                                .map(member -> step.getString(member).getValue())
                                .toList()))
                .toList();
    }
}
