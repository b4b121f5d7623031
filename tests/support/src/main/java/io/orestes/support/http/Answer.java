package io.orestes.support.http;

import java.net.http.HttpClient.Version;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;

/** What a server answered. */
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

    /** The body, which has to be a JSON object. */
    public BsonDocument object() {
        return BsonDocument.parse(text());
    }

    /** The body, which has to be a JSON array. */
    public BsonArray array() {
        return BsonArray.parse(text());
    }

    /** The ids of a body that is an array of objects. */
    public List<String> ids() {
        return array().stream()
                .map(object -> object.asDocument().getString("id").getValue())
                .toList();
    }

    /** Where it came from and when, for messages of tests. */
    public String origin() {
        return Instant.now() + " " + response.headers().map();
    }

    public Optional<String> header(String name) {
        return response.headers().firstValue(name);
    }
}
