package io.orestes.histories.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A program on a host, which can be killed, started again, and paused. Used by one thread at a time. */
public final class Node implements AutoCloseable {

    private final Host host;
    private final Path folder;
    private final List<String> command;
    private @Nullable Process process;

    /** @param folder where it keeps its data, and its log */
    Node(Host host, Path folder, List<String> command) {
        this.host = host;
        this.folder = folder;
        this.command = Network.command(host, command);
    }

    Host host() {
        return host;
    }

    /** The name of its host. */
    String name() {
        return host.name();
    }

    String address() {
        return host.address();
    }

    /** Starts it, after what it logged before. */
    void start() {
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
            builder.environment().keySet().removeIf(name -> name.startsWith("ORESTES_"));
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends it at once. */
    void kill() {
        Process running = process;
        if (running != null) {
            running.destroyForcibly();
            running.onExit().orTimeout(30, TimeUnit.SECONDS).join();
            process = null;
        }
    }

    /** What it prints. */
    private Path log() {
        return folder.resolve("log");
    }

    void pause() {
        signal("STOP");
    }

    void resume() {
        signal("CONT");
    }

    boolean isRunning() {
        Process running = process;
        return running != null && running.isAlive();
    }

    /** The end of its log, for failures. */
    String lastWords() {
        try {
            List<String> lines = Files.readAllLines(log());
            return name() + ":\n  " + String.join("\n  ", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
        } catch (IOException e) {
            return name() + " has no log";
        }
    }

    private void signal(String name) {
        Process running = process;
        if (running != null) {
            String unused = Commands.run("kill", "-" + name, String.valueOf(running.pid()));
        }
    }

    @Override
    public void close() {
        kill();
    }
}
