package io.orestes.system;

import static io.orestes.system.PermissionOperation.ABSENT;
import static io.orestes.system.PermissionOperation.AS_IT_WAS;
import static io.orestes.system.PermissionOperation.CHANGED;
import static io.orestes.system.PermissionOperation.INSERTED;
import static io.orestes.system.PermissionOperation.make;
import static io.orestes.system.PermissionOperation.write;

import io.orestes.support.http.Answer;
import io.orestes.system.PermissionOperation.Outcome;
import io.orestes.system.PermissionOperation.Subject;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** All operations that change an object. */
final class PermissionWrites {

    private static final Set<String> INSERT = Set.of("insert");
    private static final Set<String> UPDATE = Set.of("update");
    private static final Set<String> SAVE = Set.of("insert", "update");
    private static final Set<String> DELETE = Set.of("delete");
    private static final String TWO = "{\"n\":2}";
    private static final String SET_TWO = "{\"$set\":{\"n\":2}}";
    private static final String WITH_COMPANION = "+companion";

    private PermissionWrites() {}

    static List<PermissionOperation> all() {
        return Stream.of(inserts(), updates(), deletions())
                .flatMap(List::stream)
                .toList();
    }

    private static List<PermissionOperation> inserts() {
        return List.of(
                make(
                        "insert",
                        "POST",
                        INSERT,
                        "201",
                        INSERTED,
                        (asker, object) -> status(asker.post("/db/" + object.bucket(), body(object, "")))),
                make(
                        "save what is absent",
                        "PUT",
                        SAVE,
                        "200",
                        INSERTED,
                        (asker, object) -> status(asker.put(object.id(), TWO))),
                make(
                        "update what is absent",
                        "PUT",
                        UPDATE,
                        "412",
                        ABSENT,
                        (asker, object) -> status(asker.put(object.id(), TWO, "If-Match", "*"))),
                make(
                        "change what is absent",
                        "POST",
                        UPDATE,
                        "404",
                        ABSENT,
                        (asker, object) -> status(asker.post(object.id(), SET_TWO))),
                make(
                        "delete what is absent",
                        "DELETE",
                        DELETE,
                        "204",
                        ABSENT,
                        (asker, object) -> status(asker.delete(object.id()))),
                make(
                        "delete what is absent, any version",
                        "DELETE",
                        DELETE,
                        "412",
                        ABSENT,
                        (asker, object) -> status(asker.delete(object.id(), "If-Match", "*"))),
                make(
                        "bulk insert",
                        "POST",
                        INSERT,
                        "201",
                        INSERTED,
                        (asker, object) -> bulk(asker, object, "{\"insert\":" + body(object, "") + "}")),
                make(
                        "bulk save of what is absent",
                        "POST",
                        SAVE,
                        "200",
                        INSERTED,
                        (asker, object) -> bulk(asker, object, "{\"replace\":" + body(object, "") + "}")),
                make(
                        "transaction insert",
                        "PUT",
                        INSERT,
                        "200",
                        INSERTED,
                        (asker, object) -> commit(asker, "{\"writeSet\":[" + body(object, "") + "]}")),
                insertOfWhatIsThere());
    }

    /** Everybody who may insert learns that an id is in use (protocol §8.3). */
    private static PermissionOperation insertOfWhatIsThere() {
        return new PermissionOperation(
                "insert what is there",
                "POST",
                INSERT,
                "write",
                true,
                new Outcome("409", AS_IT_WAS),
                new Outcome("466", AS_IT_WAS),
                new Outcome("409", AS_IT_WAS),
                (asker, object) -> status(asker.post("/db/" + object.bucket(), body(object, ""))));
    }

    private static List<PermissionOperation> updates() {
        return List.of(
                write("save", "PUT", SAVE, "200", CHANGED, (asker, object) -> status(asker.put(object.id(), TWO))),
                write(
                        "update",
                        "PUT",
                        UPDATE,
                        "200",
                        CHANGED,
                        (asker, object) -> status(asker.put(object.id(), TWO, "If-Match", "\"1\""))),
                write(
                        "update any version",
                        "PUT",
                        UPDATE,
                        "200",
                        CHANGED,
                        (asker, object) -> status(asker.put(object.id(), TWO, "If-Match", "*"))),
                write(
                        "update another version",
                        "PUT",
                        UPDATE,
                        "412",
                        AS_IT_WAS,
                        (asker, object) -> status(asker.put(object.id(), TWO, "If-Match", "\"7\""))),
                write(
                        "partial update",
                        "POST",
                        UPDATE,
                        "200",
                        CHANGED,
                        (asker, object) -> status(asker.post(object.id(), SET_TWO))),
                write(
                        "partial update of the ACL",
                        "POST",
                        UPDATE,
                        "200",
                        "2/1",
                        (asker, object) ->
                                status(asker.post(object.id(), "{\"$set\":{\"acl\":{\"read\":{},\"write\":{}}}}"))),
                write(
                        "partial update of another version",
                        "POST",
                        UPDATE,
                        "412",
                        AS_IT_WAS,
                        (asker, object) -> status(asker.post(object.id(), SET_TWO, "If-Match", "\"7\""))),
                write(
                        "update of a field",
                        "POST",
                        UPDATE,
                        "200",
                        CHANGED,
                        (asker, object) -> status(asker.post(object.id() + "/n", "{\"$set\":2}"))),
                write(
                        "bulk update",
                        "POST",
                        UPDATE,
                        "200",
                        CHANGED,
                        (asker, object) ->
                                bulk(asker, object, "{\"update\":" + SET_TWO + ",\"id\":\"" + object.id() + "\"}")),
                write(
                        "bulk replace",
                        "POST",
                        UPDATE,
                        "200",
                        CHANGED,
                        (asker, object) -> bulk(asker, object, "{\"replace\":" + body(object, "") + ",\"ifMatch\":1}")),
                write(
                        "bulk save",
                        "POST",
                        SAVE,
                        "200",
                        CHANGED,
                        (asker, object) -> bulk(asker, object, "{\"replace\":" + body(object, "") + "}")),
                write(
                        "transaction write",
                        "PUT",
                        UPDATE,
                        "200",
                        CHANGED,
                        (asker, object) -> commit(asker, "{\"writeSet\":[" + body(object, ",\"version\":1") + "]}")),
                write(
                        "transaction partial update",
                        "PUT",
                        UPDATE,
                        "200",
                        CHANGED,
                        (asker, object) -> commit(
                                asker,
                                "{\"partialUpdates\":[{\"ref\":\"%s\",\"operations\":%s}]}"
                                        .formatted(object.id(), SET_TWO))),
                write(
                        "transaction of two",
                        "PUT",
                        SAVE,
                        "200",
                        CHANGED + WITH_COMPANION,
                        (asker, object) -> commit(
                                asker,
                                "{\"writeSet\":[{\"id\":\"%s\",\"n\":3},%s]}"
                                        .formatted(object.companion(), body(object, ",\"version\":1")))));
    }

    private static List<PermissionOperation> deletions() {
        return List.of(
                write("delete", "DELETE", DELETE, "204", ABSENT, (asker, object) -> status(asker.delete(object.id()))),
                write(
                        "delete a version",
                        "DELETE",
                        DELETE,
                        "204",
                        ABSENT,
                        (asker, object) -> status(asker.delete(object.id(), "If-Match", "\"1\""))),
                write(
                        "delete any version",
                        "DELETE",
                        DELETE,
                        "204",
                        ABSENT,
                        (asker, object) -> status(asker.delete(object.id(), "If-Match", "*"))),
                write(
                        "delete another version",
                        "DELETE",
                        DELETE,
                        "412",
                        AS_IT_WAS,
                        (asker, object) -> status(asker.delete(object.id(), "If-Match", "\"7\""))),
                write(
                        "bulk delete",
                        "POST",
                        DELETE,
                        "204",
                        ABSENT,
                        (asker, object) -> bulk(asker, object, "{\"delete\":\"" + object.id() + "\"}")),
                write(
                        "transaction delete",
                        "PUT",
                        DELETE,
                        "200",
                        ABSENT,
                        (asker, object) -> commit(asker, "{\"deleteSet\":[{\"" + object.id() + "\":1}]}")));
    }

    private static String body(Subject object, String more) {
        return "{\"id\":\"" + object.id() + "\",\"n\":2" + more + "}";
    }

    private static String status(Answer answer) {
        return String.valueOf(answer.status());
    }

    private static String bulk(PermissionCaller asker, Subject object, String operation) {
        Answer answer = asker.post("/db/" + object.bucket() + "/bulk", "{\"operations\":[" + operation + "]}");
        return answer.status() == 200
                ? String.valueOf(answer.object()
                        .getArray("results")
                        .get(0)
                        .asDocument()
                        .getNumber("status")
                        .intValue())
                : status(answer);
    }

    /** Returns the answer to the commit of a transaction. */
    static String commit(PermissionCaller asker, String body) {
        Answer begun = asker.post("/transaction", "{}");
        return begun.status() == 201
                ? status(asker.put(
                        "/transaction/" + begun.object().getString("tid").getValue() + "/committed", body))
                : status(begun);
    }
}
