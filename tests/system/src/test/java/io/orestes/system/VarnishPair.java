package io.orestes.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.orestes.support.http.Answer;
import io.orestes.support.http.Client;
import io.orestes.support.process.Ports;
import io.orestes.support.server.Launcher;
import io.orestes.support.server.ServerProcess;
import io.orestes.support.varnish.Varnish;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A server and the two Varnishes in front of it, both of which it purges. Everything retains its
 * port.
 */
final class VarnishPair implements AutoCloseable {

    static final int FIRST = 0;
    static final int SECOND = 1;

    private static final String SECRET = "vanish";

    private final Path folder;
    private final int serverPort = Ports.free();
    private final List<Varnish> varnishes;
    private List<String> flags;
    private ServerProcess server;

    /**
     * Starts all parts.
     *
     * @param folder an empty one
     * @param flags of the server
     */
    VarnishPair(Path folder, String... flags) throws InterruptedException {
        this.folder = folder;
        this.varnishes = List.of(launchVarnish(), launchVarnish());
        this.flags = List.of(flags);
        this.server = launchServer();
    }

    private Varnish launchVarnish() {
        return Varnish.inFrontOf(Launcher.ROOT, "127.0.0.1:" + serverPort)
                .purgeSecret(SECRET)
                .start();
    }

    private ServerProcess launchServer() throws InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "start",
                "--port=" + serverPort,
                "--data=" + folder.resolve("data"),
                "--root-password=" + Backend.ROOT_PASSWORD,
                "--caching.purge.targets=http://%s,http://%s".formatted(target(FIRST), target(SECOND))));
        command.addAll(flags);
        return ServerProcess.whenReady(
                Launcher.here().with("ORESTES_CACHING_PURGE_SECRET", SECRET).run(command.toArray(String[]::new)));
    }

    /** Has the server run with these flags: one with others is stopped as an operator would. */
    void serveWith(String... wanted) throws InterruptedException {
        if (!flags.equals(List.of(wanted))) {
            flags = List.of(wanted);
            server.stop();
            server = launchServer();
        }
    }

    /** Returns a client that bypasses both. */
    Client direct() {
        return Client.anonymous(server);
    }

    Client through(int varnish) {
        return Client.anonymous(varnishes.get(varnish).base());
    }

    void start(int varnish) {
        varnishes.get(varnish).start();
    }

    void kill(int varnish) {
        varnishes.get(varnish).kill();
    }

    /** Pauses a Varnish: it accepts connections and answers nothing. */
    void pause(int varnish) {
        varnishes.get(varnish).pause();
    }

    void resume(int varnish) {
        varnishes.get(varnish).resume();
    }

    /** Returns a metric of the server about one of them. */
    double meter(String name, int varnish) {
        String line = name + "{target=\"" + target(varnish) + "\"} ";
        return direct().login("root", Backend.ROOT_PASSWORD)
                .get("/-/metrics")
                .text()
                .lines()
                .filter(candidate -> candidate.startsWith(line))
                .mapToDouble(found -> Double.parseDouble(found.substring(line.length())))
                .findFirst()
                .orElseThrow();
    }

    private String target(int varnish) {
        return varnishes.get(varnish).base().getAuthority();
    }

    /** Returns the current filter, with the server's purge lag beside it. */
    Answer filter() {
        Answer filter = direct().get("/bloomfilter");
        assertThat(filter.status()).as(filter.text()).isEqualTo(200);
        return filter;
    }

    @Override
    public void close() {
        server.close();
        varnishes.forEach(Varnish::close);
    }
}
