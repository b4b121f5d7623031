package io.orestes.support.server;

import io.orestes.support.process.ProcessTree;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A started program and the lines it has printed so far. Threads of its own read both outputs, so
 * that the program never blocks on a full pipe. For use by one test thread.
 */
public final class RunningCommand implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String END_OF_OUTPUT = "\0";

    private final Process process;
    private final ProcessTree tree;
    private final List<String> output = new CopyOnWriteArrayList<>();
    private final List<String> errors = new CopyOnWriteArrayList<>();
    private final BlockingQueue<String> unseen = new LinkedBlockingQueue<>();
    private final Thread outputReader;
    private final Thread errorReader;

    public RunningCommand(Process process) {
        this.process = process;
        this.tree = new ProcessTree(process);
        outputReader = startReader(process.getInputStream(), line -> {
            output.add(line);
            unseen.add(line);
        });
        errorReader = startReader(process.getErrorStream(), errors::add);
    }

    private Thread startReader(InputStream stream, Consumer<String> sink) {
        Thread reader = new Thread(() -> {
            readLines(stream, sink);
            unseen.add(END_OF_OUTPUT);
        });
        reader.setDaemon(true);
        reader.start();
        return reader;
    }

    private static void readLines(InputStream stream, Consumer<String> sink) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            lines.lines().forEach(sink);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Waits for the next line of the standard output with this prefix; empty if the program ends
     * without one.
     */
    public Optional<String> awaitLine(String start) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        String line = nextLine(deadline);
        while (!line.startsWith(start) && !line.equals(END_OF_OUTPUT)) {
            line = nextLine(deadline);
        }
        return Optional.of(line).filter(found -> !found.equals(END_OF_OUTPUT));
    }

    private String nextLine(long deadline) throws InterruptedException {
        String line = unseen.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (line == null) {
            throw new AssertionError("nothing more within " + PATIENCE + " from " + this);
        }
        return line;
    }

    /** Waits for the end of the program and of its output. */
    public int exitCode() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("still running after " + PATIENCE + ": " + this);
        }
        outputReader.join(PATIENCE.toMillis());
        errorReader.join(PATIENCE.toMillis());
        return process.exitValue();
    }

    public long pid() {
        return process.pid();
    }

    /** Ends the program by SIGTERM, and continues to read its output. */
    public void terminate() {
        process.toHandle().destroy();
    }

    /** Sends a signal, such as {@code STOP}, to the program itself. */
    public void signal(String name) {
        ProcessTree.signal(name, process.toHandle());
    }

    /**
     * Sends a signal, such as {@code STOP}, to the child processes, but not to the program itself.
     */
    public void signalChildren(String name) {
        process.descendants().forEach(child -> ProcessTree.signal(name, child));
    }

    /** Returns the lines of the standard output so far. */
    public List<String> output() {
        return List.copyOf(output);
    }

    /** Returns the text of the standard error so far. */
    public String errors() {
        return String.join("\n", errors);
    }

    /**
     * Kills the program and its child processes, if they still run. After it returns the program
     * writes into no folder any more.
     */
    @Override
    public void close() {
        tree.kill();
    }

    @Override
    public String toString() {
        return "process %d, output: %s, errors: %s".formatted(process.pid(), output, errors);
    }
}
