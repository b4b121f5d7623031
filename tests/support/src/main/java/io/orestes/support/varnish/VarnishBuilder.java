package io.orestes.support.varnish;

import io.orestes.support.process.ExecutionContext;
import io.orestes.support.process.ExternalProgram;
import io.orestes.support.process.Folders;
import io.orestes.support.process.Ports;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * How {@code ./orestes varnish} runs a {@link Varnish}: by default on a free port of the loopback,
 * without permission to purge.
 */
public final class VarnishBuilder {

    private final Path root;
    private final String backend;
    private final Map<String, String> environment = new LinkedHashMap<>();
    private int port;
    private List<String> flags = List.of();

    VarnishBuilder(Path root, String backend) {
        this.root = root;
        this.backend = backend;
    }

    /** Sets the port of the loopback that it listens on. */
    public VarnishBuilder listensOn(int number) {
        port = number;
        return this;
    }

    /** Requires a secret for purges. */
    public VarnishBuilder purgeSecret(String secret) {
        environment.put("ORESTES_PURGE_SECRET", secret);
        return this;
    }

    /** Sets the path of varnishd, which is searched on the {@code PATH} by default. */
    public VarnishBuilder program(String path) {
        Path folder = Objects.requireNonNull(Path.of(path).toAbsolutePath().getParent());
        environment.put("PATH", folder + ":" + System.getenv("PATH"));
        return this;
    }

    /** Adds flags of {@code ./orestes varnish}. */
    public VarnishBuilder flags(String... values) {
        flags = List.of(values);
        return this;
    }

    /** Starts it, and waits until it serves. */
    public Varnish start() {
        if (port == 0) {
            port = Ports.free();
        }
        Path folder = Folders.readableByAll(Folders.temporary("varnish"));
        environment.put("TMPDIR", folder.toString());
        Varnish varnish = new Varnish(
                port,
                folder,
                new ExternalProgram(new ExecutionContext(List.of(), environment), folder, command()),
                "ready on http://");
        return varnish.started();
    }

    private List<String> command() {
        List<String> command = new ArrayList<>(List.of(
                root.resolve("orestes").toString(), "varnish", "--listen=127.0.0.1:" + port, "--backend=" + backend));
        command.addAll(flags);
        return command;
    }
}
