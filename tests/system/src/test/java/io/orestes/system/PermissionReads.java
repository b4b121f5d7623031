package io.orestes.system;

import static io.orestes.system.PermissionOperation.AS_IT_WAS;
import static io.orestes.system.PermissionOperation.CHANGED;
import static io.orestes.system.PermissionOperation.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.system.PermissionOperation.Outcome;
import io.orestes.system.PermissionOperation.Subject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** All operations that reveal something of an object. */
final class PermissionReads {

    /**
     * Operations whose answers are equal for all who may load the object, so that a shared copy
     * serves them.
     */
    static final Set<String> SHARED = Set.of("load", "load fresh", "load conditional", "load cached");

    /** Loads an object that refers to the one in question. */
    static final String BY_REFERENCE = "load by reference";

    /**
     * Operations that return more than the object of the path, to which the signature of a URL is
     * limited.
     */
    static final Set<String> BEYOND_THE_PATH = Set.of(
            "load deep",
            BY_REFERENCE,
            "query deep",
            "query polymorphic",
            "query of super class",
            "count of super class");

    /** The answer to an update depends on the permission to load the object. */
    static final String AFTER_UPDATE = "answer to an update";

    private static final String SHOWN = "shown";
    private static final String HIDDEN = "hidden";
    private static final String[] FRESH = {"Cache-Control", "max-age=0, no-cache"};

    private PermissionReads() {}

    static List<PermissionOperation> all() {
        return List.of(
                read("load", "GET", "load", SHOWN, "404", PermissionReads::load),
                read("load fresh", "GET", "load", SHOWN, "404", (asker, object) -> load(asker, object, FRESH)),
                read("load conditional", "GET", "load", "304", "404", PermissionReads::loadAgain),
                read("load cached", "GET", "load", SHOWN, "404", PermissionReads::loadAfterEverybody),
                read(
                        "load deep",
                        "GET",
                        "load",
                        SHOWN,
                        "404",
                        (asker, object) -> shown(asker.get(object.id() + "?depth=2"), object)),
                byReference(),
                afterUpdate(),
                read(
                        "transaction read",
                        "PUT",
                        "load",
                        "200",
                        "412",
                        (asker, object) ->
                                PermissionWrites.commit(asker, "[{\"oid\":\"" + object.id() + "\",\"version\":1}]")),
                query("query", "", SHOWN, HIDDEN),
                read(
                        "query fresh",
                        "GET",
                        "query",
                        SHOWN,
                        HIDDEN,
                        (asker, object) -> shown(asker.get(path("query", object, ""), FRESH), object)),
                read(
                        "query by id",
                        "GET",
                        "query",
                        SHOWN,
                        HIDDEN,
                        (asker, object) -> shown(asker.get(byId(object)), object)),
                read(
                        "query by POST",
                        "POST",
                        "query",
                        SHOWN,
                        HIDDEN,
                        (asker, object) ->
                                shown(asker.postText("/db/" + object.bucket() + "/query", object.byName()), object)),
                query("query sorted", "&start=0&count=1&sort=%7B%22n%22%3A1%7D", SHOWN, HIDDEN),
                query("query hinted", "&hinted=true", SHOWN, HIDDEN),
                query("query ids", "&ids=true", SHOWN, HIDDEN),
                query("query versions", "&eager=false", SHOWN, HIDDEN),
                query("query deep", "&depth=1", SHOWN, HIDDEN),
                query("query polymorphic", "&polymorphic=true", SHOWN, HIDDEN),
                read(
                        "query of super class",
                        "GET",
                        "query",
                        SHOWN,
                        HIDDEN,
                        (asker, object) -> shown(asker.get(over("query", object)), object)),
                read(
                        "count of super class",
                        "GET",
                        "query",
                        "{\"count\":1}",
                        "{\"count\":0}",
                        (asker, object) -> text(asker.get(over("count", object)))),
                read(
                        "prepared query",
                        "GET",
                        "query",
                        SHOWN,
                        HIDDEN,
                        (asker, object) ->
                                shown(asker.get(object.prepared() + "/result?name=" + object.key()), object)),
                read(
                        "count",
                        "GET",
                        "query",
                        "{\"count\":1}",
                        "{\"count\":0}",
                        (asker, object) -> text(asker.get(path("count", object, "")))),
                read(
                        "count by POST",
                        "POST",
                        "query",
                        "{\"count\":1}",
                        "{\"count\":0}",
                        (asker, object) -> text(asker.postText("/db/" + object.bucket() + "/count", object.byName()))),
                read(
                        "aggregate",
                        "GET",
                        "query",
                        "[{\"_id\":null,\"sum\":1}]",
                        "[]",
                        (asker, object) -> text(asker.get(path(
                                "query",
                                object,
                                "&aggregate=" + Client.encode("{\"_id\":null,\"sum\":{\"$sum\":\"$n\"}}"))))));
    }

    /** Only the id of an unreadable object is shown, as if it were absent (protocol §6.2). */
    private static PermissionOperation byReference() {
        return new PermissionOperation(
                BY_REFERENCE,
                "GET",
                Set.of("load"),
                "read",
                true,
                new Outcome("expanded", AS_IT_WAS),
                new Outcome("left", AS_IT_WAS),
                new Outcome("left", AS_IT_WAS),
                (asker, object) -> reference(asker.get(object.referrer() + "?depth=1")));
    }

    private static String reference(Answer answer) {
        return answer.status() == 200
                ? answer.object().isDocument("to") ? "expanded" : "left"
                : String.valueOf(answer.status());
    }

    /** A user who may write an object but not load it sees its version, and nothing else of it. */
    private static PermissionOperation afterUpdate() {
        return new PermissionOperation(
                AFTER_UPDATE,
                "POST",
                Set.of("load"),
                "read",
                true,
                new Outcome(SHOWN, CHANGED),
                new Outcome(HIDDEN, CHANGED),
                new Outcome(HIDDEN, CHANGED),
                (asker, object) -> visibility(asker.post(object.id(), "{\"$set\":{\"n\":2}}"), object));
    }

    private static String visibility(Answer answer, Subject object) {
        return answer.status() == 200
                ? answer.text().contains("\"" + object.key() + "\"") ? SHOWN : HIDDEN
                : String.valueOf(answer.status());
    }

    private static PermissionOperation query(String name, String more, String shown, String hidden) {
        return read(
                name,
                "GET",
                "query",
                shown,
                hidden,
                (asker, object) -> shown(asker.get(path("query", object, more)), object));
    }

    private static String path(String resource, Subject object, String more) {
        return "/db/" + object.bucket() + "/" + resource + "?q=" + Client.encode(object.byName()) + more;
    }

    private static String byId(Subject object) {
        return "/db/" + object.bucket() + "/query?q=" + Client.encode("{\"id\":\"" + object.id() + "\"}");
    }

    private static String over(String resource, Subject object) {
        return "/db/" + object.superClass() + "/" + resource + "?polymorphic=true&q=" + Client.encode(object.byName());
    }

    private static String load(PermissionCaller asker, Subject object, String... headers) {
        Answer answer = asker.get(object.id(), headers);
        if (answer.status() == 404) {
            assertSameAsAbsent(answer, asker.get(object.id() + "x", headers), object.id());
        }
        return shown(answer, object);
    }

    private static String loadAgain(PermissionCaller asker, Subject object) {
        Answer first = asker.get(object.id());
        return first.status() == 200
                ? load(asker, object, "If-None-Match", first.header("etag").orElseThrow())
                : load(asker, object, "If-None-Match", "\"1\"");
    }

    private static void assertSameAsAbsent(Answer hidden, Answer absent, String id) {
        assertThat(hidden.text()).isEqualTo(absent.text().replace(id + "x", id));
        assertThat(constant(hidden)).isEqualTo(constant(absent));
    }

    /** Returns the headers that do not depend on time or length. */
    private static Map<String, List<String>> constant(Answer answer) {
        Map<String, List<String>> headers =
                new TreeMap<>(answer.response().headers().map());
        headers.keySet().removeAll(Set.of("date", "content-length", "last-modified"));
        return headers;
    }

    /** A later caller must not get the copy of an earlier one. */
    private static String loadAfterEverybody(PermissionCaller asker, Subject object) {
        Client anonymous = asker.client().anonymously();
        assertThat(List.of(
                        anonymous.get(object.id()).status(),
                        anonymous.get(object.id()).status()))
                .doesNotContain(500);
        return load(asker, object);
    }

    private static String shown(Answer answer, Subject object) {
        return answer.status() == 200
                ? answer.text().contains("\"" + object.id() + "\"") ? SHOWN : HIDDEN
                : String.valueOf(answer.status());
    }

    private static String text(Answer answer) {
        return answer.status() == 200 ? answer.text() : String.valueOf(answer.status());
    }
}
