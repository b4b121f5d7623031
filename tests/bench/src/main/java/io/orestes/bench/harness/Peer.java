package io.orestes.bench.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A child process of the benchmark: answers each line with a line, and ends when its input does.
 */
public final class Peer implements AutoCloseable {

    private final Process process;
    private final BufferedReader from;
    private final PrintStream to;

    private Peer(Process process) {
        this.process = process;
        this.from = process.inputReader(StandardCharsets.UTF_8);
        this.to = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    /** Runs {@code main} on the product's libraries, with the flags of the product's own JVM. */
    public static Peer start(Orestes like, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(like.javaAndFlags());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("MALLOC_ARENA_MAX", "2");
        return new Peer(builder.start());
    }

    /** Returns its next line. */
    String read() throws IOException {
        String line = from.readLine();
        if (line == null) {
            throw new IOException("A process of the benchmark ended early: " + process.info());
        }
        return line;
    }

    /** Sends a line and waits for the answer. */
    public String ask(String line) throws IOException {
        to.println(line);
        return read();
    }

    @Override
    public void close() {
        to.close();
        var ignored = process.onExit().join();
    }
}
