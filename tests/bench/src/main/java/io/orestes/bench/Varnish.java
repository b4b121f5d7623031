package io.orestes.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** A varnishd in front of a backend on this machine: with our VCL as anybody starts it, or with an empty one. */
final class Varnish implements AutoCloseable {

    /** What the servers of benchmarks purge with. */
    static final String SECRET = "bench";

    private final Process process;
    private final int port;

    private Varnish(Process process, int port) {
        this.process = process;
        this.port = port;
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
    }

    /** One with our VCL on a free port. */
    static Varnish start(Lab lab, int backend) throws IOException, InterruptedException {
        return start(lab, 0, backend);
    }

    /** One with our VCL on this port; 0 takes a free one. */
    static Varnish start(Lab lab, int port, int backend) throws IOException, InterruptedException {
        Path program = Path.of(lab.tool("varnish"));
        ProcessBuilder builder = new ProcessBuilder(
                        lab.root().resolve("orestes").toString(),
                        "varnish",
                        "--listen=127.0.0.1:" + port,
                        "--backend=127.0.0.1:" + backend)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().keySet().removeIf(name -> name.startsWith("ORESTES_"));
        builder.environment().put("ORESTES_PURGE_SECRET", SECRET);
        builder.environment()
                .compute("PATH", (name, path) -> program.toAbsolutePath().getParent() + ":" + path);
        Process process = builder.start();
        return new Varnish(process, readyPort(process));
    }

    private static int readyPort(Process process) throws IOException {
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        String ready = output.readLine();
        if (ready == null) {
            throw new IOException("Varnish ended before it was ready");
        }
        return URI.create(ready.substring("ready on ".length()).split(" ", 2)[0])
                .getPort();
    }

    /** One that does what Varnish does by itself, with the parameters of ours. */
    static Varnish empty(Lab lab, int backend) throws IOException, InterruptedException {
        int port = freePort();
        Path home = openFolder();
        Path vcl = home.resolve("empty.vcl");
        Files.writeString(
                vcl, "vcl 4.1;\nbackend server { .host = \"127.0.0.1\"; .port = \"%d\"; }\n".formatted(backend));
        List<String> command = new ArrayList<>(List.of(lab.tool("varnish"), "-F", "-a", "127.0.0.1:" + port));
        command.addAll(List.of("-f", vcl.toString(), "-n", home.resolve("work").toString(), "-s", "malloc,256m"));
        command.addAll(List.of("-p", "http_gzip_support=off", "-p", "pipe_timeout=300"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        awaitChild(process);
        return new Varnish(process, port);
    }

    /** One that the user can read whom varnishd turns into if root starts it. */
    private static Path openFolder() throws IOException {
        Path folder = Files.createTempDirectory(
                "orestes-bench-varnish",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> Lab.delete(folder)));
        return folder;
    }

    /** A port that is free for now. */
    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** The process that serves says when it does; the few lines after that have room in the pipe. */
    private static void awaitChild(Process varnishd) throws IOException {
        BufferedReader output = varnishd.inputReader(StandardCharsets.UTF_8);
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.endsWith("said Child starts")) {
                return;
            }
        }
        throw new IOException("Varnish ended before it was ready");
    }

    int port() {
        return port;
    }

    String url(String path) {
        return "http://127.0.0.1:" + port + path;
    }

    @Override
    public void close() {
        process.destroy();
        var ignored = process.onExit().join();
    }
}
