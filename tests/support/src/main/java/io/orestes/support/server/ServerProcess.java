package io.orestes.support.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server that has reported readiness. Closing it kills it; {@link #stop} ends it as an operator
 * would.
 */
public final class ServerProcess implements AutoCloseable {

    /** Prefix of the one line which reports to operators and scripts that requests are accepted. */
    public static final String READY = "ready on http://";

    private static final Pattern BASE = Pattern.compile("^ready on (http://[^/\\s]+)");

    private final RunningCommand command;
    private final URI base;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(30)).build();

    private ServerProcess(RunningCommand command, URI base) {
        this.command = command;
        this.base = base;
    }

    public static ServerProcess whenReady(RunningCommand command) throws InterruptedException {
        String line = command.awaitLine(READY)
                .orElseThrow(() -> new AssertionError("the server ended before it was ready: " + command));
        Matcher matcher = BASE.matcher(line);
        assertThat(matcher.find()).as(line).isTrue();
        return new ServerProcess(command, URI.create(matcher.group(1)));
    }

    /** Scheme, host and port, without a path. */
    public URI base() {
        return base;
    }

    public RunningCommand command() {
        return command;
    }

    /** Gets a path such as {@code /v1/-/ready}. */
    public HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path).GET().build());
    }

    /** Posts JSON to a path such as {@code /v1/db/User/login}. */
    public HttpResponse<String> post(String path, String json) throws IOException, InterruptedException {
        return send(request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json))
                .build());
    }

    /** Returns a request to a path of this server, to be completed by the caller. */
    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(base.resolve(path)).timeout(Duration.ofSeconds(30));
    }

    public HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return http.send(request, BodyHandlers.ofString());
    }

    /** Ends the server by SIGTERM, which it must obey with exit code 0. */
    public void stop() throws InterruptedException {
        command.terminate();
        assertThat(command.exitCode())
                .as("exit code after SIGTERM of %s", command)
                .isZero();
    }

    /** Kills the server by SIGKILL and waits for its end. */
    public void kill() throws InterruptedException {
        command.close();
        assertThat(command.exitCode()).isNotZero();
    }

    @Override
    public void close() {
        command.close();
    }
}
