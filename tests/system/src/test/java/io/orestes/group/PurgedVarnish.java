package io.orestes.group;

import io.orestes.support.mongo.Mongod;
import io.orestes.support.process.Ports;
import io.orestes.system.Backend;
import io.orestes.system.Client;
import io.orestes.system.Launcher;
import io.orestes.system.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** A genuine Varnish in front of a server that keeps its objects in MongoDB and purges it. */
final class PurgedVarnish implements AutoCloseable {

    static final String DATABASE = "kept";

    private static final String SECRET = "vanish";

    private final ServerProcess varnish;
    private final ServerProcess server;

    /**
     * Starts both.
     *
     * @param folder for the data of both
     * @param flags of the server
     */
    PurgedVarnish(Path folder, Mongod mongo, String... flags) throws IOException, InterruptedException {
        // root's varnishd turns into another user
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        // each has to know where the other one is
        List<Integer> ports = Ports.free(2);
        varnish = ServerProcess.whenReady(Launcher.here()
                .with("TMPDIR", folder.toString())
                .with("ORESTES_PURGE_SECRET", SECRET)
                .run("varnish", "--listen=127.0.0.1:" + ports.get(1), "--backend=127.0.0.1:" + ports.get(0)));
        List<String> command = new ArrayList<>(List.of(
                "start",
                "--port=" + ports.get(0),
                "--data=" + folder.resolve("data"),
                "--root-password=" + Backend.ROOT_PASSWORD,
                "--mongo=" + mongo.connectionString(DATABASE),
                "--caching.purge.targets=http://127.0.0.1:" + ports.get(1)));
        command.addAll(List.of(flags));
        server = ServerProcess.whenReady(
                Launcher.here().with("ORESTES_CACHING_PURGE_SECRET", SECRET).run(command.toArray(String[]::new)));
    }

    /** Past Varnish. */
    Client direct() {
        return Client.anonymous(server);
    }

    Client root() {
        return direct().login("root", Backend.ROOT_PASSWORD);
    }

    /** Whose plain reads Varnish answers if it can. */
    Client through() {
        return Client.anonymous(varnish);
    }

    @Override
    public void close() {
        server.close();
        varnish.close();
    }
}
