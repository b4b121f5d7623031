package io.orestes.coherence;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.process.Ports;
import io.orestes.system.Backend;
import io.orestes.system.Launcher;
import io.orestes.system.ServerProcess;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A real server and a real Varnish, with a proxy on each way between them: the one that Varnish fetches by and the one that
 * the server purges by. Copies live for seconds only, so that much expires in little time.
 */
final class Stage implements Place, AutoCloseable {

    static final String SECRET = "vanish";

    /** Longest time to live in Varnish. */
    static final Duration SHARED_MAX_TTL = Duration.ofSeconds(6);

    /** Of all stages together. */
    private static final AtomicInteger CLASSES = new AtomicInteger();

    private final Path folder;
    private final Duration browserMaxTtl;
    private final int serverPort;
    private final int varnishPort;
    private final Proxy origin;
    private final Proxy purges;
    private ServerProcess server;
    private ServerProcess varnish;

    /**
     * Starts all.
     *
     * @param folder an empty one
     * @param browserMaxTtl longest time to live in browsers, which is also the time that scenes have for a restart
     */
    Stage(Path folder, Duration browserMaxTtl) throws IOException, InterruptedException {
        this.folder = readableByAll(folder);
        this.browserMaxTtl = browserMaxTtl;
        this.serverPort = Ports.free();
        this.varnishPort = Ports.free();
        this.origin = new Proxy(serverPort);
        this.purges = new Proxy(varnishPort);
        this.varnish = launchVarnish();
        try {
            this.server = launchServer();
        } catch (AssertionError | InterruptedException failure) {
            varnish.close();
            throw failure;
        }
    }

    /** varnishd runs as another user when root starts it. */
    static Path readableByAll(Path folder) throws IOException {
        return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
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

    private ServerProcess launchVarnish() throws InterruptedException {
        return ServerProcess.whenReady(Launcher.here()
                .with("TMPDIR", folder.toString())
                .with("ORESTES_PURGE_SECRET", SECRET)
                .run("varnish", "--listen=127.0.0.1:" + varnishPort, "--backend=127.0.0.1:" + origin.port()));
    }

    @Override
    public int serverPort() {
        return serverPort;
    }

    int varnishPort() {
        return varnishPort;
    }

    @Override
    public int readerPort() {
        return varnishPort;
    }

    @Override
    public Duration aftermath() {
        return Duration.ofMillis(1500);
    }

    /** What Varnish fetches by. */
    Proxy origin() {
        return origin;
    }

    /** What the server purges by. */
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

    /** Where the server leaves what it remembers of the filter when it ends. */
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

    void killVarnish() throws InterruptedException {
        varnish.kill();
    }

    void startVarnish() throws InterruptedException {
        varnish = launchVarnish();
    }

    void pauseVarnish() throws InterruptedException {
        varnish.command().signalChildren("STOP");
    }

    void resumeVarnish() throws InterruptedException {
        varnish.command().signalChildren("CONT");
    }

    @Override
    public void close() {
        server.close();
        varnish.close();
        origin.close();
        purges.close();
    }
}
