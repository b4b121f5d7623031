package io.orestes.group;

import io.orestes.support.http.Client;
import io.orestes.support.mongo.Mongod;
import io.orestes.support.process.Ports;
import io.orestes.support.server.Launcher;
import io.orestes.support.server.ServerProcess;
import io.orestes.support.varnish.Varnish;
import io.orestes.system.Backend;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A genuine Varnish in front of a server that stores its objects in MongoDB and purges it. */
final class PurgedVarnish implements AutoCloseable {

    static final String DATABASE = "kept";

    private static final String SECRET = "vanish";

    private final Varnish varnish;
    private final ServerProcess server;

    /**
     * Starts both.
     *
     * @param folder for the data of the server
     * @param flags of the server
     */
    PurgedVarnish(Path folder, Mongod mongo, String... flags) throws InterruptedException {
        // each needs the address of the other
        int port = Ports.free();
        varnish = Varnish.inFrontOf(Launcher.ROOT, "127.0.0.1:" + port)
                .purgeSecret(SECRET)
                .start();
        List<String> command = new ArrayList<>(List.of(
                "start",
                "--port=" + port,
                "--data=" + folder.resolve("data"),
                "--root-password=" + Backend.ROOT_PASSWORD,
                "--mongo=" + mongo.connectionString(DATABASE),
                "--caching.purge.targets=" + varnish.base()));
        command.addAll(List.of(flags));
        server = ServerProcess.whenReady(
                Launcher.here().with("ORESTES_CACHING_PURGE_SECRET", SECRET).run(command.toArray(String[]::new)));
    }

    /** Returns a client that bypasses Varnish. */
    Client direct() {
        return Client.anonymous(server);
    }

    Client root() {
        return direct().login("root", Backend.ROOT_PASSWORD);
    }

    /** Returns a client whose plain reads Varnish answers if it can. */
    Client through() {
        return Client.anonymous(varnish.base());
    }

    @Override
    public void close() {
        server.close();
        varnish.close();
    }
}
