package io.orestes.support.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A program that runs beside the tests. It works in a folder, and the file {@code log} there has
 * what it prints. It can be killed, paused and started again. It ends with this process at the
 * latest. Used by one thread at a time.
 */
public final class ExternalProgram implements AutoCloseable {

    private static final int LAST_LINES = 100;

    private final ExecutionContext context;
    private final Path folder;
    private final List<String> command;
    private @Nullable ProcessTree process;

    /** Creates a program that is not started yet. */
    public ExternalProgram(ExecutionContext context, Path folder, List<String> command) {
        this.context = context;
        this.folder = folder;
        this.command =
                Stream.concat(context.prefix().stream(), command.stream()).toList();
    }

    /**
     * Starts it with a log that is appended to, and without the settings of Orestes in the
     * environment.
     */
    public void start() {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile().toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("ORESTES_"));
        builder.environment().putAll(context.environment());
        try {
            process = new ProcessTree(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until a condition holds. Fails if the program ends before. */
    public void await(String what, BooleanSupplier condition) {
        Waiting.until(what, () -> {
            requireRunning(what);
            return condition.getAsBoolean();
        });
    }

    private void requireRunning(String what) {
        if (!isRunning()) {
            throw new AssertionError("Ended before " + what + "\n" + logTail());
        }
    }

    /** Returns whether it has been started and has not ended. */
    public boolean isRunning() {
        ProcessTree running = process;
        return running != null && running.isAlive();
    }

    /** Kills it and its child processes by SIGKILL, and waits for its end. */
    public void kill() {
        ProcessTree running = process;
        if (running != null) {
            running.kill();
            process = null;
        }
    }

    /** Ends it by SIGTERM, and returns its exit code. */
    public int stop() {
        ProcessTree running = process;
        if (running == null) {
            throw new IllegalStateException("It is not started.");
        }
        int code = running.stop();
        process = null;
        return code;
    }

    /** Pauses it and its child processes by SIGSTOP, and waits until all threads have stopped. */
    public void pause() {
        parts().forEach(part -> ProcessTree.signal("STOP", part));
        Waiting.until("every thread is paused", () -> parts().stream().allMatch(ExternalProgram::standsStill));
    }

    /** Continues it after a pause. */
    public void resume() {
        parts().forEach(part -> ProcessTree.signal("CONT", part));
    }

    private List<ProcessHandle> parts() {
        ProcessTree running = process;
        return running == null ? List.of() : running.parts();
    }

    private static boolean standsStill(ProcessHandle part) {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + part.pid() + "/task"))) {
            return threads.allMatch(ExternalProgram::isStopped);
        } catch (NoSuchFileException ended) {
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** See proc(5): the state follows the name, which is in parentheses. */
    private static boolean isStopped(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            char state = stat.charAt(stat.lastIndexOf(')') + 2);
            return state == 'T' || state == 'Z';
        } catch (IOException ended) {
            return true;
        }
    }

    /** Returns its output so far. */
    public String log() {
        try {
            return Files.readString(logFile());
        } catch (NoSuchFileException notStarted) {
            return "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the end of its log, for failure messages. */
    public String logTail() {
        List<String> lines = log().lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    }

    private Path logFile() {
        return folder.resolve("log");
    }

    @Override
    public void close() {
        kill();
    }
}
