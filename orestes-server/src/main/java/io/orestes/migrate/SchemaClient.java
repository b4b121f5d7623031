package io.orestes.migrate;

import io.orestes.json.JsonReader;
import io.orestes.json.JsonWriter;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The blocking HTTP client of the schema command for the server it changes. Used by one thread. */
final class SchemaClient {

    /** Request timeout; the conversion of stored objects takes long. */
    private static final Duration REQUEST_TIMEOUT = Duration.ofMinutes(30);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    private final String base;
    private @Nullable String token;

    /**
     * @param base URL up to and with the API's version
     * @param token token of an administrator's session; {@code null} until {@link #login}
     */
    SchemaClient(String base, @Nullable String token) {
        this.base = base;
        this.token = token;
    }

    /** Opens a session. */
    void login(String user, String password) throws IOException, InterruptedException {
        BsonDocument credentials =
                new BsonDocument("username", new BsonString(user)).append("password", new BsonString(password));
        HttpResponse<byte[]> answer = post("/db/User/login", credentials);
        token = answer.headers().firstValue("baqend-authorization-token").orElse(null);
    }

    BsonArray schema() throws IOException, InterruptedException {
        return json(get("/schema")).asArray();
    }

    /** Returns the names of the completed migrations. */
    Set<String> migrations() throws IOException, InterruptedException {
        return json(get("/-/migrations")).asDocument().getArray("applied").stream()
                .map(name -> name.asString().getValue())
                .collect(Collectors.toSet());
    }

    void change(BsonValue request) throws IOException, InterruptedException {
        HttpResponse<byte[]> ignored = post("/schema", request);
    }

    private HttpResponse<byte[]> get(String path) throws IOException, InterruptedException {
        return send("GET", path, BodyPublishers.noBody());
    }

    private HttpResponse<byte[]> post(String path, BsonValue body) throws IOException, InterruptedException {
        return send("POST", path, BodyPublishers.ofString(JsonWriter.print(body)));
    }

    private HttpResponse<byte[]> send(String method, String path, BodyPublisher body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(REQUEST_TIMEOUT)
                .header("Accept", "application/json")
                .header("Content-Type", "application/json;charset=utf-8")
                .method(method, body);
        if (token != null) {
            request.header("Authorization", "BAT " + token);
        }
        HttpResponse<byte[]> answer = send(request.build());
        if (answer.statusCode() >= 300) {
            throw new IOException(method + " " + path + " was answered " + answer.statusCode() + ": "
                    + new String(answer.body(), StandardCharsets.UTF_8));
        }
        return answer;
    }

    /** Sends a request. If no server listens, the JDK's exception has no message. */
    private HttpResponse<byte[]> send(HttpRequest request) throws IOException, InterruptedException {
        try {
            return http.send(request, BodyHandlers.ofByteArray());
        } catch (ConnectException failure) {
            throw new IOException("No server answers at " + request.uri(), failure);
        }
    }

    private static BsonValue json(HttpResponse<byte[]> answer) {
        return JsonReader.read(answer.body());
    }
}
