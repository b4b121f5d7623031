package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code GET /-/explain}: which rule decides. That it says what the server does is shown by {@code PermissionMatrixTest}. */
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
    void update_ofWhatIsNotThere_isMissing_andASaveInsertsIt() {
        String name = backend.newClass("n", "Integer");

        assertThat(rules(explain(NOBODY, "update", "/db/" + name + "/none")))
                .containsExactly("class update unrestricted", "object missing");
        assertThat(explain(NOBODY, "save", "/db/" + name + "/none")
                        .getBoolean("granted")
                        .getValue())
                .isTrue();
    }

    @Test
    void subscription_toAnotherQuery_saysThatTheObjectDoesNotMatch() {
        String name = backend.newClass("n", "Integer");
        String id = backend.root().insert(name, "{\"n\":1}");

        assertThat(rules(explain(NOBODY, "subscribe", id, "{\"n\":2}")))
                .containsExactly("class query unrestricted", "object read unrestricted", "query doesNotMatch");
        assertThat(rules(explain(NOBODY, "subscribe", id, "{\"n\":1}"))).endsWith("query matches");
    }

    @Test
    void schemaAdd_byNobody_isTheAdmins() {
        String name = backend.newClass("n", "Integer");

        assertThat(rules(explain(NOBODY, "schemaAdd", "/db/" + name))).containsExactly("class schemaAdd notAllowed");
    }

    @Test
    void insertOfAUser_byAnybody_isForRegistrationOnly() {
        assertThat(rules(explain("/db/User/1", "insert", "/db/User"))).startsWith("class registrationOnly");
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
    void question_malformed_isRefused(String query) {
        assertThat(backend.root().get("/-/explain?" + query).status()).isEqualTo(400);
    }

    @Test
    void question_aboutWhatIsNotThere_isRefused() {
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
    void question_byWhoIsNoAdmin_isRefused() {
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
