package io.orestes.histories.cluster;

import io.orestes.support.process.Waiting;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** The classes of a workload, which are created by one server and known by all. */
public final class Classes {

    private final Cluster cluster;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();

    public Classes(Cluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Creates a class, and waits until all servers have it.
     *
     * @param fields their definitions by name, as JSON (protocol §7.1)
     */
    public void create(String name, String fields) throws IOException, InterruptedException {
        String token = post(
                        "/db/User/login",
                        "{\"username\":\"root\",\"password\":\"%s\"}".formatted(Cluster.ROOT_PASSWORD),
                        "")
                .headers()
                .firstValue("baqend-authorization-token")
                .orElseThrow();
        HttpResponse<String> created =
                post("/schema", "{\"class\":\"/db/%s\",\"fields\":%s}".formatted(name, fields), token);
        if (created.statusCode() != 200) {
            throw new AssertionError(created.body());
        }
        cluster.servers().forEach(server -> Waiting.until("all have the class", () -> isKnown(server, name)));
    }

    private boolean isKnown(Node server, String name) {
        try {
            URI absent = URI.create(Cluster.base(server) + "/db/" + name + "/absent");
            return http.send(HttpRequest.newBuilder(absent).build(), BodyHandlers.discarding())
                            .statusCode()
                    == 404;
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    private HttpResponse<String> post(String path, String body, String token) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(Cluster.base(cluster.servers().get(0)) + path))
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
        if (!token.isEmpty()) {
            request.header("Authorization", "BAT " + token);
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }
}
