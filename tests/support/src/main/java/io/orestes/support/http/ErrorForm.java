package io.orestes.support.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.bson.BsonDocument;

/** The form of every answer that reports a failure (protocol §2). */
public final class ErrorForm {

    /** Parts of stack traces and of names that reveal internals of the server. */
    private static final Pattern INTERNALS = Pattern.compile(
            "\\bat [\\w.$]+\\(|\\.java\\b|(?<!Unique ?Index ?)Exception|io\\.(orestes|vertx|netty|invalidb)|"
                    + "org\\.\\w+\\.");

    private ErrorForm() {}

    /**
     * Fails unless the answer is a JSON object about its own status that reveals no internals of
     * the server.
     */
    public static void check(Answer answer) {
        assertThat(answer.header("content-type")).as(answer.text()).hasValueSatisfying(type -> assertThat(type)
                .startsWith("application/json"));
        MessageSchema.ERROR.check(answer.text());
        BsonDocument error = answer.object();
        assertThat(error.getNumber("status").intValue()).isEqualTo(answer.status());
        assertThat(error.getString("className").getValue()).matches("[A-Z]\\w+");
        assertThat(error.getString("reason").getValue()).isNotBlank();
        assertThat(error.getString("message").getValue()).isNotBlank().doesNotContainPattern(INTERNALS);
        assertThat(answer.text()).doesNotContainPattern(INTERNALS);
        assertThat(answer.header("baqend-authorization-token")).isEmpty();
        assertThat(answer.header("cache-control")).hasValue("no-store");
    }
}
