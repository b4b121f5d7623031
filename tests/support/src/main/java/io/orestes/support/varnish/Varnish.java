package io.orestes.support.varnish;

import io.orestes.support.process.ExecutionContext;
import io.orestes.support.process.ExternalProgram;
import io.orestes.support.process.Folders;
import io.orestes.support.process.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A genuine Varnish in front of a server. It keeps its port when it is started again. Closing it
 * kills the processes and removes their folder.
 */
public final class Varnish implements AutoCloseable {

    private final int port;
    private final Path folder;
    private final ExternalProgram process;
    private final String ready;

    /** @param ready what it prints when it serves */
    Varnish(int port, Path folder, ExternalProgram process, String ready) {
        this.port = port;
        this.folder = folder;
        this.process = process;
        this.ready = ready;
    }

    /**
     * Returns a builder of a Varnish with the VCL of Orestes, as {@code ./orestes varnish} starts
     * it.
     *
     * @param root of the repository
     * @param backend host and port of the server
     */
    public static VarnishBuilder inFrontOf(Path root, String backend) {
        return new VarnishBuilder(root, backend);
    }

    /**
     * Starts a Varnish with its built-in VCL and the parameters of {@code ./orestes varnish}.
     *
     * @param program the path of varnishd
     * @param backend a port of the loopback
     */
    public static Varnish empty(String program, int backend) {
        int port = Ports.free();
        Path folder = Folders.readableByAll(Folders.temporary("varnish"));
        Path vcl = folder.resolve("empty.vcl");
        write(vcl, "vcl 4.1;\nbackend server { .host = \"127.0.0.1\"; .port = \"%d\"; }\n".formatted(backend));
        String work = folder.resolve("work").toString();
        List<String> command = List.of(
                program,
                "-F",
                "-a",
                "127.0.0.1:" + port,
                "-f",
                vcl.toString(),
                "-n",
                work,
                "-s",
                "malloc,256m",
                "-p",
                "http_gzip_support=off",
                "-p",
                "pipe_timeout=300");
        // printed by the child process, which serves
        return new Varnish(
                        port, folder, new ExternalProgram(ExecutionContext.HERE, folder, command), "said Child starts")
                .started();
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns this Varnish when it serves for the first time. */
    Varnish started() {
        try {
            start();
            return this;
        } catch (RuntimeException | AssertionError failure) {
            close();
            throw failure;
        }
    }

    /** Starts it again after it was killed or stopped, and waits until it serves. */
    public void start() {
        int before = process.log().length();
        process.start();
        process.await("Varnish serves", () -> process.log().indexOf(ready, before) >= 0);
    }

    public int port() {
        return port;
    }

    /** Returns scheme, host and port. */
    public URI base() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Ends it as an operator would, which has to succeed. */
    public void stop() {
        int code = process.stop();
        if (code != 0) {
            throw new AssertionError("Varnish ended with code " + code + "\n" + process.logTail());
        }
    }

    public void kill() {
        process.kill();
    }

    /** Pauses the processes: connections are accepted, and nothing is answered. */
    public void pause() {
        process.pause();
    }

    public void resume() {
        process.resume();
    }

    @Override
    public void close() {
        process.close();
        Folders.delete(folder);
    }
}
