package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Queries on a class and all subclasses, beside those on one class only. */
@ExtendWith(SharedBackend.class)
final class PolymorphicQueriesTest {

    private final Client anonymous;
    private final Client root;
    private final String base;
    private String sub = "";

    PolymorphicQueriesTest(Backend backend) {
        this.anonymous = backend.anonymous();
        this.root = backend.root();
        this.base = backend.newClass("n", "Integer", "text", "String");
    }

    @BeforeEach
    void createSubclass() {
        sub = base + "Sub";
        assertThat(root.post(
                                "/schema",
                                ("{\"class\":\"/db/%s\",\"superClass\":\"/db/%s\","
                                                + "\"fields\":{\"more\":{\"type\":\"/db/Integer\"}}}")
                                        .formatted(sub, base))
                        .status())
                .isEqualTo(200);
        for (int i = 0; i < 3; i++) {
            root.insert(base, "{\"id\":\"/db/%s/%d\",\"n\":%d}".formatted(base, i, 2 * i));
            root.insert(sub, "{\"id\":\"/db/%s/%d\",\"n\":%d,\"more\":1}".formatted(sub, i, 2 * i + 1));
        }
    }

    @Test
    void query_polymorphic_mergesTheClassesInOrder() {
        List<String> all = ids("&polymorphic=true&sort=" + Client.encode("{\"n\":-1}") + "&start=1&count=3");

        assertThat(all).containsExactly(id(base, 2), id(sub, 1), id(base, 1));
        assertThat(ids("&polymorphic=true")).hasSize(6);
        assertThat(anonymous.get("/db/" + base + "/count?polymorphic=true").text())
                .isEqualTo("{\"count\":6}");
    }

    @Test
    void query_exact_isAboutOneClass() {
        assertThat(ids("")).containsExactly(id(base, 0), id(base, 1), id(base, 2));
        assertThat(anonymous.get("/db/" + base + "/count").text()).isEqualTo("{\"count\":3}");
    }

    @Test
    void query_polymorphicAfterAWrite_isNeverStaleAndNotCached() {
        String path = "/db/" + base + "/query?q=%7B%22n%22%3A9%7D&polymorphic=true";
        assertThat(anonymous.get(path).array()).isEmpty();

        root.insert(sub, "{\"n\":9}");

        Answer answer = anonymous.get(path);
        assertThat(answer.array()).hasSize(1);
        assertThat(answer.header("cache-control")).contains("no-store");
    }

    @Test
    void query_polymorphic_showsOnlyWhatTheCallerMayRead() {
        root.insert(sub, "{\"n\":9,\"acl\":{\"read\":{\"/db/Role/1\":\"allow\"}}}");

        assertThat(ids("&polymorphic=true")).hasSize(6);
        assertThat(root.get("/db/" + base + "/query?q=%7B%7D&polymorphic=true").array())
                .hasSize(7);
    }

    @Test
    void query_polymorphicWithAForbiddenSubclass_is466() {
        assertThat(root.post(
                                "/schema",
                                ("{\"operation\":\"updateClassAcl\",\"bucket\":\"/db/%s\","
                                                + "\"acl\":{\"query\":{\"/db/Role/1\":\"allow\"}}}")
                                        .formatted(sub))
                        .status())
                .isEqualTo(200);

        assertThat(anonymous
                        .get("/db/" + base + "/query?q=%7B%7D&polymorphic=true")
                        .status())
                .isEqualTo(466);
        assertThat(anonymous.get("/db/" + base + "/query?q=%7B%7D").status()).isEqualTo(200);
    }

    @Test
    void query_polymorphicWhereThatIsNotSupported_is468() {
        String query = "/db/" + base + "/query?q=%7B%7D&polymorphic=true";

        assertThat(anonymous.get(query + "&start=20000").status()).isEqualTo(468);
        assertThat(anonymous.get(query + "&aggregate=%7B%7D").status()).isEqualTo(468);
        assertThat(anonymous
                        .get("/db/" + base + "/events?q=%7B%7D&polymorphic=true")
                        .status())
                .isEqualTo(468);
    }

    @Test
    void query_polymorphicInOtherForms_isAboutAllClasses() {
        assertThat(anonymous
                        .get("/db/" + base + "/query?q=%7B%7D&polymorphic=true&eager=false")
                        .array())
                .hasSize(6);
        assertThat(ids("&polymorphic=true&depth=1")).hasSize(6);
    }

    private List<String> ids(String parameters) {
        return anonymous.get("/db/" + base + "/query?q=%7B%7D" + parameters).ids();
    }

    private static String id(String bucket, int key) {
        return "/db/" + bucket + "/" + key;
    }
}
