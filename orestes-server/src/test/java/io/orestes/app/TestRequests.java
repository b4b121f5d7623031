package io.orestes.app;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** HTTP requests to a {@link RunningServer}, anonymous or of a logged-in user. */
final class TestRequests {

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String base;
    private final String token;

    private TestRequests(String base, String token) {
        this.base = base;
        this.token = token;
    }

    static TestRequests anonymous(RunningServer running) {
        return new TestRequests(running.server().url() + "/v1", "");
    }

    static TestRequests root(RunningServer running) {
        TestRequests anonymous = anonymous(running);
        HttpResponse<String> login =
                anonymous.post("/db/User/login", "{\"username\":\"root\",\"password\":\"secret\"}");
        return new TestRequests(
                anonymous.base,
                "BAT "
                        + login.headers()
                                .firstValue("baqend-authorization-token")
                                .orElseThrow());
    }

    /** @param headers names and values, alternating */
    HttpResponse<String> get(String path, String... headers) {
        return send(path, "GET", "", headers);
    }

    HttpResponse<String> post(String path, String body, String... headers) {
        return send(path, "POST", body, headers);
    }

    HttpResponse<String> put(String path, String body, String... headers) {
        return send(path, "PUT", body, headers);
    }

    HttpResponse<String> delete(String path) {
        return send(path, "DELETE", "");
    }

    static String header(HttpResponse<String> answer, String name) {
        return answer.headers().firstValue(name).orElse("none");
    }

    private HttpResponse<String> send(String path, String method, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        if (!token.isEmpty()) {
            request.header("Authorization", token);
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (Exception failure) {
            throw new AssertionError("No answer to " + method + " " + path, failure);
        }
    }
}
