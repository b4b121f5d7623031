package io.orestes.group;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import java.util.Optional;

/**
 * A write of one object, which can be sent alone or as one of several.
 *
 * @param body fields of an insertion or replacement, operations of an update; empty for a deletion
 * @param ifMatch value of the header of that name; empty if there is no condition
 */
record ObjectWrite(Kind kind, String id, String body, Optional<String> ifMatch) {

    enum Kind {
        INSERT,
        REPLACE,
        UPDATE,
        DELETE
    }

    static ObjectWrite insertion(String id, String fields) {
        return new ObjectWrite(Kind.INSERT, id, fields, Optional.empty());
    }

    static ObjectWrite replacement(String id, String fields) {
        return new ObjectWrite(Kind.REPLACE, id, fields, Optional.empty());
    }

    static ObjectWrite update(String id, String operations) {
        return new ObjectWrite(Kind.UPDATE, id, operations, Optional.empty());
    }

    static ObjectWrite deletion(String id) {
        return new ObjectWrite(Kind.DELETE, id, "", Optional.empty());
    }

    ObjectWrite on(Optional<String> condition) {
        return new ObjectWrite(kind, id, body, condition);
    }

    /** Returns the condition that the object has a version, in whatever life. */
    static Optional<String> version(long number) {
        return Optional.of("\"" + number + "\"");
    }

    /** Sends it as a request of its own. */
    Reply sendBy(Client client) {
        return Reply.to(answer(
                client,
                ifMatch.map(condition -> new String[] {"If-Match", condition}).orElseGet(() -> new String[0])));
    }

    private Answer answer(Client client, String... headers) {
        return switch (kind) {
            case INSERT -> client.post(id.substring(0, id.lastIndexOf('/')), fields(), headers);
            case REPLACE -> client.put(id, fields(), headers);
            case UPDATE -> client.post(id, body, headers);
            case DELETE -> client.delete(id, headers);
        };
    }

    /** Returns its form in a bulk request. */
    String operation() {
        String subject =
                switch (kind) {
                    case INSERT -> "\"insert\":" + fields();
                    case REPLACE -> "\"replace\":" + fields();
                    case UPDATE -> "\"update\":%s,\"id\":\"%s\"".formatted(body, id);
                    case DELETE -> "\"delete\":\"%s\"".formatted(id);
                };
        return "{" + subject + ifMatch.map(ObjectWrite::member).orElse("") + "}";
    }

    /** A version is a number there, every other tag a string. */
    private static String member(String condition) {
        String version = condition.replace("\"", "");
        return ",\"ifMatch\":" + (version.matches("\\d+") ? version : "\"" + condition.replace("\"", "\\\"") + "\"");
    }

    private String fields() {
        return "{\"id\":\"" + id + "\"," + body.substring(1);
    }
}
