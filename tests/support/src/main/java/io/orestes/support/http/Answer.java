package io.orestes.support.http;

import java.net.http.HttpClient.Version;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;

/** An answer of a server. */
public record Answer(HttpResponse<byte[]> response) {

    public int status() {
        return response.statusCode();
    }

    public Version version() {
        return response.version();
    }

    public String text() {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    /** Returns the body, which has to be a JSON object. */
    public BsonDocument object() {
        return BsonDocument.parse(text());
    }

    /** Returns the body, which has to be a JSON array. */
    public BsonArray array() {
        return BsonArray.parse(text());
    }

    /** Returns the ids of a body that is an array of objects. */
    public List<String> ids() {
        return array().stream()
                .map(object -> object.asDocument().getString("id").getValue())
                .toList();
    }

    /** Returns origin and time of the answer, for test messages. */
    public String origin() {
        return Instant.now() + " " + response.headers().map();
    }

    public Optional<String> header(String name) {
        return response.headers().firstValue(name);
    }
}
