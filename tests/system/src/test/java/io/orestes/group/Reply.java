package io.orestes.group;

import io.orestes.support.http.Answer;
import java.util.Collections;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt64;

/**
 * The answer to one write, sent alone or as one of several.
 *
 * @param version that of the resulting state; 0 if there is none
 * @param text the rest of the answer; empty for a success
 */
record Reply(int status, long version, String text) {

    /** Returns the reply to a write in a request of its own. */
    static Reply to(Answer answer) {
        return answer.status() == 204
                ? new Reply(204, 0, "")
                : of(answer.status(), answer.status() < 300 ? answer.object() : new BsonDocument(), answer.text());
    }

    /**
     * Returns the reply to each write of a bulk request, in their order; a refusal as a whole is
     * one to each.
     */
    static List<Reply> toEach(Answer answer, int count) {
        if (answer.status() != 200) {
            return Collections.nCopies(count, new Reply(answer.status(), 0, answer.text()));
        }
        return answer.object().getArray("results").stream()
                .map(result -> result.asDocument())
                .map(result -> of(result.getNumber("status").intValue(), result, result.toJson()))
                .toList();
    }

    private static Reply of(int status, BsonDocument state, String text) {
        return new Reply(status, state.getNumber("version", new BsonInt64(0)).longValue(), status < 300 ? "" : text);
    }

    /** Statuses of several replies, in ascending order. */
    static List<Integer> statuses(List<Reply> replies) {
        return replies.stream().map(Reply::status).sorted().toList();
    }

    boolean isDone() {
        return status < 300;
    }

    @Override
    public String toString() {
        return status + (version > 0 ? " version " + version : "") + (status == 503 ? " " + text : "");
    }
}
