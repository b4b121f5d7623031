package io.orestes.support.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.orestes.support.server.ServerProcess;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * Sends requests to a server, with the session of a user or anonymously. Paths start below the base
 * path and are encoded already. Whatever the test is about, every answer with an error status has
 * to have the form of an error.
 */
public final class Client {

    /** The content type of bodies in JSON. */
    static final String JSON = "application/json;charset=utf-8";

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();

    private final URI base;
    private final Optional<String> token;

    private Client(URI base, Optional<String> token) {
        this.base = base;
        this.token = token;
    }

    public static Client anonymous(ServerProcess server) {
        return anonymous(server.base());
    }

    /**
     * Returns an anonymous client of a server that was started elsewhere; {@code base} is scheme,
     * host and port.
     */
    public static Client anonymous(URI base) {
        return new Client(base, Optional.empty());
    }

    public Client withToken(String bearer) {
        return new Client(base, Optional.of(bearer));
    }

    public Client anonymously() {
        return new Client(base, Optional.empty());
    }

    /** Logs in with this name and password, and returns a client for the session. */
    public Client login(String username, String password) {
        Answer login =
                post("/db/User/login", "{\"username\":\"%s\",\"password\":\"%s\"}".formatted(username, password));
        return withToken(login.header("baqend-authorization-token")
                .orElseThrow(() -> new AssertionError("no session: " + login.text())));
    }

    public String token() {
        return token.orElseThrow();
    }

    /**
     * Returns a request in the style of REST Assured:
     * {@code given().when().get(id).then().statusCode(200)}.
     */
    public RequestSpecification given() {
        return AssuredRequests.of(this);
    }

    public Answer get(String path, String... headers) {
        return send("GET", path, BodyPublishers.noBody(), headers);
    }

    public Answer post(String path, String json, String... headers) {
        return send("POST", path, BodyPublishers.ofString(json), asJson(headers));
    }

    public Answer put(String path, String json, String... headers) {
        return send("PUT", path, BodyPublishers.ofString(json), asJson(headers));
    }

    public Answer delete(String path, String... headers) {
        return send("DELETE", path, BodyPublishers.noBody(), headers);
    }

    /** Sends any request; names and values of the headers alternate. */
    public Answer send(String method, String path, BodyPublisher body, String... headers) {
        Answer answer =
                exchange(HTTP, request(path, headers).method(method, body).build());
        if (answer.status() >= 400 && !method.equals("HEAD")) {
            ErrorForm.check(answer);
        }
        return answer;
    }

    /** Sends a request through another HTTP client. */
    public static Answer exchange(HttpClient http, HttpRequest request) {
        try {
            return new Answer(http.send(request, BodyHandlers.ofByteArray()));
        } catch (IOException e) {
            throw new AssertionError(request + " got no answer", e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    /**
     * Returns a request to be completed by the caller; streams may be silent for long, so it has no
     * time-out.
     */
    public HttpRequest.Builder open(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path));
        token.ifPresent(known -> request.header("Authorization", "BAT " + known));
        if (headers.length > 0) {
            return request.headers(headers);
        }
        return request;
    }

    public HttpRequest.Builder request(String path, String... headers) {
        return open(path, headers).timeout(PATIENCE);
    }

    public URI uri(String path) {
        return URI.create(base + "/v1" + path);
    }

    /** Inserts an object and returns its id. */
    @CanIgnoreReturnValue
    public String insert(String bucket, String json) {
        Answer inserted = post("/db/" + bucket, json);
        assertThat(inserted.status()).as(inserted.text()).isEqualTo(201);
        return inserted.object().getString("id").getValue();
    }

    /** Replaces an object, which has to succeed. */
    @CanIgnoreReturnValue
    public Answer update(String id, String json, String... headers) {
        Answer updated = put(id, json, headers);
        assertThat(updated.status()).as(updated.text()).isEqualTo(200);
        return updated;
    }

    /** Deletes an object, which has to succeed. */
    public void remove(String id) {
        assertThat(delete(id).status()).isEqualTo(204);
    }

    /** Returns the result of a query by GET. */
    public Answer query(String bucket, String filter, String... headers) {
        return get(queryPath(bucket, filter), headers);
    }

    /** Returns the path of a query by GET. */
    public static String queryPath(String bucket, String filter) {
        return "/db/" + bucket + "/query?q=" + encode(filter);
    }

    public long count(String bucket) {
        return get("/db/" + bucket + "/count").object().getNumber("count").longValue();
    }

    /** Encodes like JavaScript's {@code encodeURIComponent} (protocol §1.1). */
    public static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%21", "!")
                .replace("%7E", "~")
                .replace("%27", "'")
                .replace("%28", "(")
                .replace("%29", ")");
    }

    private static String[] asJson(String... headers) {
        String[] all = new String[headers.length + 2];
        System.arraycopy(headers, 0, all, 0, headers.length);
        all[headers.length] = "Content-Type";
        all[headers.length + 1] = JSON;
        return all;
    }
}
