package io.orestes.histories.workload;

import io.orestes.histories.cluster.Cluster;
import io.orestes.histories.cluster.Node;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * All servers, as clients see them: servers that recently gave no answer receive fewer requests.
 * Thread-safe.
 */
final class Servers {

    /** Timeout of requests that change nothing. */
    static final Duration SOON = Duration.ofSeconds(3);

    /** Timeout of writes, which wait until silent servers are evicted. */
    static final Duration LATER = Duration.ofSeconds(12);

    private static final Duration SUSPICION = Duration.ofSeconds(3);
    private static final double TRUST = 0.05;

    private final List<String> bases;
    private final AtomicLongArray suspectUntil;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(1))
            .build();

    Servers(List<Node> nodes) {
        bases = nodes.stream().map(Cluster::base).toList();
        suspectUntil = new AtomicLongArray(nodes.size());
    }

    /** Returns any server that seems healthy. */
    int any(Random dice) {
        int chosen = dice.nextInt(bases.size());
        for (int i = 0; i < bases.size() && isSuspect(chosen) && dice.nextDouble() > TRUST; i++) {
            chosen = (chosen + 1) % bases.size();
        }
        return chosen;
    }

    private boolean isSuspect(int server) {
        return suspectUntil.get(server) - System.nanoTime() > 0;
    }

    Optional<Answer> get(int server, String path, String... headers) {
        return send(server, request(server, path, SOON, headers).GET());
    }

    Optional<Answer> send(int server, String method, String path, String body, Duration patience, String... headers) {
        return send(
                server,
                request(server, path, patience, headers)
                        .header("Content-Type", "application/json")
                        .method(method, BodyPublishers.ofString(body)));
    }

    private HttpRequest.Builder request(int server, String path, Duration patience, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(bases.get(server) + path)).timeout(patience);
        return headers.length == 0 ? request : request.headers(headers);
    }

    /** Returns the answer; empty if there was none. */
    private Optional<Answer> send(int server, HttpRequest.Builder request) {
        try {
            HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
            if (response.statusCode() >= 500) {
                suspect(server);
            }
            return Optional.of(new Answer(
                    response.statusCode(), response.body(), response.headers().firstValue("ETag")));
        } catch (IOException unreachable) {
            suspect(server);
            return Optional.empty();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    private void suspect(int server) {
        suspectUntil.set(server, System.nanoTime() + SUSPICION.toNanos());
    }
}
