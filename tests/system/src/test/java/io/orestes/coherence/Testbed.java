package io.orestes.coherence;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.process.Ports;
import io.orestes.support.server.Launcher;
import io.orestes.support.server.ServerProcess;
import io.orestes.support.varnish.Varnish;
import io.orestes.system.Backend;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A real server and a real Varnish, with a proxy on each connection between them: for fetches of
 * Varnish and for purges of the server. Copies live for seconds only, so that much expires in
 * little time.
 */
final class Testbed implements ServiceEndpoints, AutoCloseable {

    static final String SECRET = "vanish";

    /** Longest time to live in Varnish. */
    static final Duration SHARED_MAX_TTL = Duration.ofSeconds(6);

    /** Number of classes of all testbeds together. */
    private static final AtomicInteger CLASSES = new AtomicInteger();

    private final Path folder;
    private final Duration browserMaxTtl;
    private final int serverPort;
    private final Proxy origin;
    private final Proxy purges;
    private ServerProcess server;
    private final Varnish varnish;

    /**
     * Starts all parts.
     *
     * @param folder an empty one
     * @param browserMaxTtl longest time to live in browsers, which is also the time that scenarios
     *     have for a restart
     */
    Testbed(Path folder, Duration browserMaxTtl) throws IOException, InterruptedException {
        this.folder = folder;
        this.browserMaxTtl = browserMaxTtl;
        this.serverPort = Ports.free();
        this.origin = new Proxy(serverPort);
        this.varnish = Varnish.inFrontOf(Launcher.ROOT, "127.0.0.1:" + origin.port())
                .purgeSecret(SECRET)
                .start();
        this.purges = new Proxy(varnish.port());
        try {
            this.server = launchServer();
        } catch (AssertionError | InterruptedException failure) {
            varnish.close();
            throw failure;
        }
    }

    private ServerProcess launchServer() throws InterruptedException {
        return ServerProcess.whenReady(Launcher.here()
                .with("ORESTES_CACHING_PURGE_SECRET", SECRET)
                .run(
                        "start",
                        "--port=" + serverPort,
                        "--data=" + folder.resolve("data"),
                        "--root-password=" + Backend.ROOT_PASSWORD,
                        "--caching.purge.targets=http://127.0.0.1:" + purges.port(),
                        "--caching.purge.deadline=500ms",
                        "--caching.browser-max-ttl=" + browserMaxTtl.toSeconds() + "s",
                        "--caching.shared-max-ttl=" + SHARED_MAX_TTL.toSeconds() + "s"));
    }

    @Override
    public int serverPort() {
        return serverPort;
    }

    int varnishPort() {
        return varnish.port();
    }

    @Override
    public int readerPort() {
        return varnish.port();
    }

    @Override
    public Duration aftermath() {
        return Duration.ofMillis(1500);
    }

    /** Returns the proxy for Varnish's fetches. */
    Proxy origin() {
        return origin;
    }

    /** Returns the proxy for the server's purges. */
    Proxy purges() {
        return purges;
    }

    @Override
    public String newClass() throws IOException, InterruptedException {
        String name = "Item" + CLASSES.incrementAndGet();
        HttpResponse<String> login = server.post(
                "/v1/db/User/login", "{\"username\":\"root\",\"password\":\"%s\"}".formatted(Backend.ROOT_PASSWORD));
        HttpRequest create = server.request("/v1/schema")
                .header("Content-Type", "application/json")
                .header(
                        "Authorization",
                        "BAT "
                                + login.headers()
                                        .firstValue("baqend-authorization-token")
                                        .orElseThrow())
                .POST(BodyPublishers.ofString(
                        """
                        {"class":"/db/%s","fields":{"g":{"name":"g","type":"/db/Integer"},
                        "n":{"name":"n","type":"/db/Integer"},"text":{"name":"text","type":"/db/String"}}}"""
                                .formatted(name)))
                .build();
        HttpResponse<String> created = server.send(create);
        assertThat(created.statusCode()).as(created.body()).isEqualTo(200);
        return name;
    }

    /** Returns the file in which the server stores its knowledge of the filter when it ends. */
    Path sketch() {
        return folder.resolve("data").resolve("sketch");
    }

    void killServer() throws InterruptedException {
        server.kill();
    }

    void stopServer() throws InterruptedException {
        server.stop();
    }

    void startServer() throws InterruptedException {
        server = launchServer();
    }

    void killVarnish() {
        varnish.kill();
    }

    void startVarnish() {
        varnish.start();
    }

    void pauseVarnish() {
        varnish.pause();
    }

    void resumeVarnish() {
        varnish.resume();
    }

    @Override
    public void close() {
        server.close();
        varnish.close();
        origin.close();
        purges.close();
    }
}
